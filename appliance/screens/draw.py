"""Every prompt's screens: each situation registers its own, so all of them are loaded here."""

from appliance.screens import betting as betting
from appliance.screens import looking as looking
from appliance.screens import menus as menus
from appliance.screens import modules as modules
from appliance.screens import strip as strip
from appliance.screens import trouble as trouble
from appliance.screens import turn as turn
from appliance.screens.drawing.film import film as film
from appliance.screens.drawing.film import pages as pages
