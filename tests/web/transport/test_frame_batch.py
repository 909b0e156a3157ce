"""Test that frames to many connections are sent together and in order."""

import pytest

from app.web.transport.frame_batch import WriteBatch

Sent = list[tuple[str, bytes]]


class To:
    """A transport that records what it gets."""

    def __init__(self, name: str, sent: Sent) -> None:
        self._name, self._sent = name, sent

    def write(self, data: bytes) -> None:
        self._sent.append((self._name, data))


def test_a_frame_outside_a_batch_is_sent_at_once() -> None:
    sent: Sent = []
    WriteBatch().send(To("Ana", sent), b"1")
    assert sent == [("Ana", b"1")]


def test_batched_frames_are_sent_in_order_at_the_end_of_the_batch() -> None:
    sent: Sent = []
    outbox, ana, bob = WriteBatch(), To("Ana", sent), To("Bob", sent)
    with outbox:
        outbox.send(ana, b"1")
        outbox.send(bob, b"2")
        outbox.send(ana, b"3")
        assert sent == []
    assert sent == [("Ana", b"1"), ("Bob", b"2"), ("Ana", b"3")]
    outbox.send(bob, b"4")
    assert sent[-1] == ("Bob", b"4")


def test_batched_frames_are_sent_even_if_the_batch_raises() -> None:
    sent: Sent = []
    outbox = WriteBatch()

    def fail() -> None:
        with outbox:
            outbox.send(To("Ana", sent), b"1")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    outbox.send(To("Ana", sent), b"2")
    assert sent == [("Ana", b"1"), ("Ana", b"2")]
