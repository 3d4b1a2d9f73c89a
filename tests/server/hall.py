"""A node with its lobby, in memory: a jumping clock, players who seek."""

from server.books.desk import Desk
from server.books.keeper import Keeper
from server.life import Life
from server.matchmaker import Matchmaker
from shared.protocol import Assigned, FindOpponent, Seeking, ToClient, ToLobby
from shared.table import Ready
from shared.terms import DuelTerms
from tests.server.fakes import FakeViewer, chance
from tests.server.house import House

BOTH = DuelTerms()
TURNS = DuelTerms(tempo="alternating")


class Hall:
    """A node with its lobby."""

    def __init__(self, house: House, boot: str = "b") -> None:
        self.house = house
        self.boot = boot
        life = house.life if boot == house.boot else Life(lambda: boot)
        records = house.store.records
        self.desk = Desk(
            records,
            Keeper(records),
            clock=house.clock,
            randbytes=chance(f"desk {boot}"),
            archived=house.store.log.archived,
        )
        self.lobby = Matchmaker(
            house.store.lobby,
            house.rooms,
            clock=house.clock,
            randbytes=chance(f"lobby {boot}"),
            life=life,
            rating=self.desk.rating,
        )

    def guest(self, identity: str) -> FakeViewer:
        self.house.conns += 1
        viewer = FakeViewer(f"{self.boot}.{self.house.conns}", identity)
        self.house.viewers.append(viewer)
        return viewer

    async def ask(self, viewer: FakeViewer, message: ToLobby) -> list[ToClient]:
        """Ask, as a connection does; return everything that the viewer is told until all is quiet."""
        answer = await self.lobby.serve(viewer, message)
        if answer is not None:
            viewer.write(viewer.codec.encode(answer))
        await self.house.settle()
        return viewer.new()

    async def seek(self, viewer: FakeViewer, terms: DuelTerms = BOTH) -> list[ToClient]:
        return await self.ask(viewer, FindOpponent(terms))

    async def seeker(self, identity: str, terms: DuelTerms = BOTH) -> FakeViewer:
        viewer = self.guest(identity)
        (answer,) = await self.seek(viewer, terms)
        assert isinstance(answer, Seeking)
        assert answer.seek
        return viewer

    async def open(self) -> list[str]:
        """The names of those who wait."""
        return [seek.who.identity for seek in (await self.house.store.lobby.look(self.boot)).seeks]

    async def pair(self) -> tuple[FakeViewer, FakeViewer, Assigned]:
        """Ann and Bob, paired; Ann's call."""
        ann = await self.seeker("ann")
        bob = self.guest("bob")
        seeking, call = await self.seek(bob)
        assert isinstance(seeking, Seeking)
        assert isinstance(call, Assigned)
        (other,) = ann.new()
        assert isinstance(other, Assigned)
        assert (other.match, other.seat, call.seat) == (call.match, 0, 1)
        return ann, bob, other

    async def ready(self, viewer: FakeViewer, match: str) -> None:
        """Enter the match and be ready."""
        room = await self.house.rooms.find(match)
        assert room is not None
        await self.house.join(room, viewer)
        answer = await self.house.play(room, viewer, Ready(viewer.identity.encode().hex().ljust(32, "0")))
        assert [getattr(told, "refusal", None) for told in answer] == [None]
