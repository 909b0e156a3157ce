"""What is said to many goes out together, in the order in which it was said."""

import pytest

from app.web.transport.frame_batch import Outbox

Sent = list[tuple[str, bytes]]


class To:
    """A way out that notes what takes it."""

    def __init__(self, name: str, sent: Sent) -> None:
        self._name, self._sent = name, sent

    def write(self, data: bytes) -> None:
        self._sent.append((self._name, data))


def test_what_is_said_goes_out_at_once() -> None:
    sent: Sent = []
    Outbox().send(To("Ana", sent), b"1")
    assert sent == [("Ana", b"1")]


def test_what_is_gathered_goes_out_at_the_end_in_its_order() -> None:
    sent: Sent = []
    outbox, ana, bob = Outbox(), To("Ana", sent), To("Bob", sent)
    with outbox:
        outbox.send(ana, b"1")
        outbox.send(bob, b"2")
        outbox.send(ana, b"3")
        assert sent == []
    assert sent == [("Ana", b"1"), ("Bob", b"2"), ("Ana", b"3")]
    outbox.send(bob, b"4")
    assert sent[-1] == ("Bob", b"4")


def test_what_was_gathered_goes_out_even_if_something_fails() -> None:
    sent: Sent = []
    outbox = Outbox()

    def fail() -> None:
        with outbox:
            outbox.send(To("Ana", sent), b"1")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    outbox.send(To("Ana", sent), b"2")
    assert sent == [("Ana", b"1"), ("Ana", b"2")]
