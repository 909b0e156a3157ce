"""`python -m tools`: commands for developers, to run from a checkout. They are not part of an installed server.

Each command is in its own module, which is imported when the command is called.
"""

import click

from app.commands.shared.lazy_group import LazyGroup

COMMANDS = {
    "bench": ("tools.bench.command:bench", "Measure the engine, or a server with bots over real sockets."),
    "capacity": ("tools.capacity:capacity", "Simulate the machines that 10,000 to a million rooms need."),
    "cluster": ("tools.cluster.command:cluster", "Run PostgreSQL with Patroni on three machines; try accidents."),
    "coach": ("tools.training.coach_check:coach", "Check what the coach says of turns, and of planted mistakes."),
    "pictures": ("tools.soak.picture_memory:pictures", "Draw many pictures of matches, and check the memory."),
    "soak": ("tools.soak.command:soak", "Play random hands and look for errors; or kill, flood or fill a server."),
    "fair": ("tools.fair_deals:fair", "Play on an honest server with accidents: no page may warn of a deal."),
    "digests": ("tools.image_digests:digests", "Write the digests of images into Dockerfile and Compose files."),
    "english": ("tools.plain_english:english", "Find English that is hard to read in comments, docs and texts."),
    "names": ("tools.glossary:names", "Find names in `app/` with a word that the glossary replaced."),
    "inputs": ("tools.inputs.command:inputs", "List every field that strangers can send, with its maximum length."),
    "syllables": ("tools.syllables:syllables", "Split long words of titles and names of rules, for soft hyphens."),
    "typeface": ("tools.typeface:typeface", "Make the files of the bundled typeface."),
    "train": ("tools.training.train:train", "Train a bot for a game, and write the trained weights."),
    "trust": (
        "tools.training.measure_blend:trust",
        "Measure how much weight the hard bot should give its network in a game.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Measure, stress and train Pecking Order."""


if __name__ == "__main__":
    main(prog_name="python -m tools")
