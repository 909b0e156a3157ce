"""Decrees [PRES-49]: texts that a player proclaims to players in lower places, who obey or defy."""

from app.engine.base.messages import MessageTemplate
from app.engine.base.options import Option, Options, on_off_choice
from app.engine.match.game import DecreeRules

SWITCH = Option(
    id="PRES-49",
    also="orders commands 命令",
    key="decrees",
    domain=on_off_choice("No decrees", "Higher places can give decrees to lower places"),
    default=True,
    sentence="Decides whether players can give decrees at any time to one player below them, or to all players below "
    "them. The player who gets it may obey or defy.",
    example="The Vice-President to the Scum: “Fetch the snacks!”",
    is_permission=True,
    short={True: "For fun, higher places can give lower ones decrees: orders to obey or defy."},
)


def _players_below(hierarchy: tuple[str, ...], player: str) -> tuple[str, ...]:
    return hierarchy[hierarchy.index(player) + 1 :] if player in hierarchy else ()


WHO_DECREES = MessageTemplate("president.who_decrees", "You can decree from the second hand, to players below you.")
NO_DECREES = MessageTemplate("president.no_decrees", "The rules of this room have no decrees.")

_DECREES_BELOW = DecreeRules(SWITCH.id, _players_below, WHO_DECREES())
_DECREES_OFF = DecreeRules(SWITCH.id, lambda hierarchy, player: (), NO_DECREES())


def decree_rules(options: Options) -> DecreeRules:
    """Return the rules about decrees in President. An option can switch decrees off; then each is refused."""
    return _DECREES_BELOW if options[SWITCH] else _DECREES_OFF
