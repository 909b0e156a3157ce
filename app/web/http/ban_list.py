"""The networks that the operator has banned, as this node knows them. Every request is compared with them."""

from collections.abc import Iterable
from ipaddress import IPv6Network, ip_address, ip_network
from typing import Final

from app.settings import Network

CLIENT_PREFIX: Final = 64
"""Leading bits of an IPv6 address that stand for one client, as for limits."""
NOT_PUBLIC: Final = tuple(
    map(
        ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10"),
            *("::1/128", "fc00::/7", "fe80::/10"),
        ),
    )
)
"""Networks of homes, machines and providers: a ban would reach the operator, or many strangers at once."""


def widen_to_client(network: Network) -> Network:
    """Return the network, or for a part of an IPv6 client's network the whole of it.

    >>> str(widen_to_client(ip_network("2001:db8::7")))
    '2001:db8::/64'
    """
    if isinstance(network, IPv6Network) and network.prefixlen > CLIENT_PREFIX:
        return network.supernet(new_prefix=CLIENT_PREFIX)
    return network


class BanList:
    """A set of networks that is quick to ask, also with thousands of them."""

    def __init__(self) -> None:
        self.networks: frozenset[Network] = frozenset()
        self._by_size: dict[tuple[int, int], set[int]] = {}
        """The first bits of the networks, by IP version and number of bits that follow."""

    def replace(self, networks: Iterable[Network]) -> bool:
        """Take another set of networks; return whether it differs."""
        before, self.networks = self.networks, frozenset(networks)
        self._by_size = {}
        for network in self.networks:
            rest = network.max_prefixlen - network.prefixlen
            self._by_size.setdefault((network.version, rest), set()).add(int(network.network_address) >> rest)
        return self.networks != before

    def covers(self, address: str) -> bool:
        """Return whether a client's address is banned. Its key for limits (`client_key`) gives the same answer."""
        if not self._by_size:
            return False
        try:
            ip = ip_address(address)
        except ValueError:  # a client without an address
            return False
        ip = getattr(ip, "ipv4_mapped", None) or ip
        number = int(ip)
        return any(
            version == ip.version and number >> rest in known for (version, rest), known in self._by_size.items()
        )
