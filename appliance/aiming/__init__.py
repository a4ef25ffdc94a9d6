"""Is a camera aimed well at dice, and what helps if not? Pure: a picture and its reading in.

For example, with a picture in BGR:

    from appliance.aiming import Aim, advise
    from calibration.readers import UncalibratedReader
    from vision.glance import glance

    aim = Aim.of(picture, UncalibratedReader().read(picture), glance(picture))
    print(advise(aim).sentence)
"""

from appliance.aiming.advice import Advice, Aim, Steady, Verdict, advise

__all__ = ("Advice", "Aim", "Steady", "Verdict", "advise")
