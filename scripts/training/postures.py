"""Trains the posture classifier on lessons cut from rendered views and drawn."""

import argparse

import torch
from torch import nn
from torch.nn import functional

from scripts.training.fitting import BATCH, HELD, asker, block, fit, load, write
from vision.classify.posture import FLAT, KNOWN, LEAN, POSTURES, SIDE, UNKNOWN, VALUES


def _network() -> nn.Sequential:
    return nn.Sequential(
        block(5, 20, 2),
        block(20, 28, 1),
        block(28, 44, 2),
        block(44, 56, 1),
        block(56, 80, 2),
        block(80, 80, 1),
        block(80, 96, 2),
        nn.Flatten(),
        nn.Linear(96 * (SIDE // 16) ** 2, 96),
        nn.ReLU(inplace=True),
        nn.Dropout(0.2),
        nn.Linear(96, VALUES + POSTURES + 2),
    )


def postures(args: argparse.Namespace) -> None:
    """Trains the posture classifier."""
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    network = _network()
    if args.start is not None:
        network.load_state_dict(torch.load(args.start))
    xs, ss, ks, vs, ps, ts = load(args.lessons, "xskvpt")
    ask = asker(network)

    def planes(x: torch.Tensor, s: torch.Tensor, k: torch.Tensor) -> torch.Tensor:
        flat = torch.stack([s.clamp(0, 1.2), k], 1)[:, :, None, None]
        return torch.cat(
            [x.permute(0, 3, 1, 2).float() / 255 - 0.5, flat.expand(-1, -1, SIDE, SIDE)], 1
        )

    def loss_of() -> torch.Tensor:
        pick = torch.randint(HELD, len(xs), (BATCH,))
        v, p, t = vs[pick], ps[pick], ts[pick].clone()
        x = planes(xs[pick], ss[pick], ks[pick])
        # What points outwards stays up: only mirroring is left.
        if torch.rand(1) < 0.5:
            x = x.flip(3)
            t[:, 0] *= -1
        x[:, :3] = (x[:, :3] + 0.5) * torch.exp(torch.randn(BATCH, 3, 1, 1) * 0.06) - 0.5
        out = ask(x)
        loss = functional.cross_entropy(out[:, :VALUES], v, ignore_index=-1, label_smoothing=0.01)
        loss = loss + 1.5 * functional.cross_entropy(out[:, VALUES:LEAN], p, ignore_index=-1)
        labelled = ~t.isnan().any(1)
        return loss + 3 * functional.smooth_l1_loss(out[labelled, LEAN:], t[labelled], beta=0.1)

    def report() -> str:
        out = torch.cat(
            [
                ask(planes(xs[i : i + 500], ss[i : i + 500], ks[i : i + 500]))
                for i in range(0, HELD, 500)
            ]
        )
        v, p, k, t = vs[:HELD], ps[:HELD], ks[:HELD], ts[:HELD]
        value = (out[:, :VALUES].argmax(1) == v)[v >= 0].float().mean()
        flat = out[:, VALUES:LEAN].softmax(1)[:, FLAT]
        labelled = (k == KNOWN) & ~t.isnan().any(1)
        parts = [f"lean off {float((out[labelled, LEAN:] - t[labelled]).norm(dim=1).mean()):.3f}"]
        for certainty in (KNOWN, 0.5, UNKNOWN):
            good = flat[(k == certainty) & (p == FLAT)].sort().values
            bad = flat[(k == certainty) & (p > FLAT)]
            if len(good) and len(bad):
                low = good[len(good) // 50]
                parts.append(f"at 98% flat {float((bad >= low).float().mean()):.4f} of others")
        return f"value {value:.4f} " + ", ".join(parts)

    fit(network, args, loss_of, report)
    torch.save(network.state_dict(), args.out.with_suffix(".pt"))
    write(network, (5, SIDE, SIDE), args.out)


def average(args: argparse.Namespace) -> None:
    """Writes a posture classifier whose weights are the mean of some that learnt in turn."""
    network = _network()
    all_weights = [torch.load(path) for path in args.weights]
    mean = {
        name: sum(one[name] for one in all_weights) / len(all_weights)
        if value.is_floating_point()
        else value
        for name, value in all_weights[-1].items()
    }
    network.load_state_dict(mean)
    network.eval()
    write(network, (5, SIDE, SIDE), args.out)
