from __future__ import annotations

import asyncio

from chatprotect_web.layers import ThreadSafeInMemoryChannelLayer

MESSAGES = 500


async def test_messages_sent_from_other_threads_and_loops_all_arrive() -> None:
    layer = ThreadSafeInMemoryChannelLayer(capacity=1000)
    channel = await layer.new_channel()
    await layer.group_add("check", channel)

    def send_many(first: int) -> None:
        async def send() -> None:
            for number in range(first, first + MESSAGES // 2):
                await layer.group_send("check", {"type": "changed", "number": number})

        asyncio.run(send())

    await asyncio.gather(*(asyncio.to_thread(send_many, first) for first in (0, MESSAGES // 2)))
    received = [(await asyncio.wait_for(layer.receive(channel), 5))["number"] for _ in range(MESSAGES)]
    assert sorted(received) == list(range(MESSAGES))


async def test_a_send_does_not_wait_for_a_server_that_has_stopped() -> None:
    layer = ThreadSafeInMemoryChannelLayer()

    async def home() -> None:
        await layer.group_add("check", await layer.new_channel())

    await asyncio.to_thread(lambda: asyncio.run(home()))
    await asyncio.wait_for(layer.group_send("check", {"type": "changed"}), 5)
