import { expect, test } from 'vitest'
import { startCampaign } from './campaign/campaign.ts'
import { create } from './campaign/client.ts'
import { testSubmitAtClose, testWaitersAtClose } from './closing.ts'

// The deep suite has no fault, either fault alone, and a locked file during a submit.
testWaitersAtClose([
  ['while the vendor does not answer submits', { hanging: 'submit' }],
  [
    'while the vendor does not answer polls and the SQLite file is locked',
    { hanging: 'poll', lockedForMs: 3000 },
  ],
])

testSubmitAtClose()

test.concurrent('a server that closes answers each create with a job or with 503, and stores only the jobs that it has answered', async ({
  onTestFinished,
}) => {
  // A create has 0.9 seconds of the service's clock to be stored.
  const campaign = await startCampaign(onTestFinished, { speed: 1 })
  const service = campaign.start()
  let created = 0
  let isClosing = false
  const clients = Array.from({ length: 10 }, async (_, client) => {
    const replies: { prompt: string; status: number }[] = []
    for (;;) {
      const prompt = `order ${replies.length} of client ${client}`
      const reply = await create(campaign, service, { prompt, task_ms: 50 }).catch(() => undefined)
      // A client that can't connect learns as well that there is no job: the server no longer listens.
      const status = reply?.status ?? 503
      replies.push({ prompt, status })
      if (status === 202) created++
      else if (isClosing) return replies
      if (created < 50 || isClosing) continue
      isClosing = true
      service.tell('close')
    }
  })
  const replies = (await Promise.all(clients)).flat()
  expect(await service.ended).toBe(0)

  const stored = new Set(campaign.jobs().map(({ shownInput }) => shownInput['prompt']))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202, 503]))
  expect(stored).toEqual(new Set(replies.filter(({ status }) => status === 202).map(({ prompt }) => prompt)))
  campaign.start()
  await campaign.settled()
  expect(campaign.jobs().filter(({ phase }) => phase !== 'completed')).toEqual([])
  expect(campaign.vendor.ledger).toHaveLength(stored.size)
})
