import { type GenerationServiceOptions, memoryFileStore, type Model } from '@genmount/core'
import { spreadOutputs } from '@genmount/provider-kit/spreading'
import { type FakeBehaviour, fakeFile, type FakeProviderOptions, fakeWorld } from '@genmount/testing'

/** The seed of the first part. It shows which part a submit is about. */
const firstSeed = 100

/** What becomes of the submits of a part. @param attempt counts its submits from 1 */
export type PartScript = (part: number, attempt: number) => FakeBehaviour

const model: Model = {
  id: 'spread',
  outputKind: 'image',
  input: {
    '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as object }) },
  },
  price: { text: '0.01 USD per image', per: 'image', usd: 0.01 },
}

/**
 * Services in front of a vendor that makes one picture for each submit, over one job store and one file store. The pictures of
 * four parts differ, and each costs 0.01 US dollars.
 */
export function spreadWorld(
  script: PartScript,
  fake: FakeProviderOptions = {},
  options: Partial<GenerationServiceOptions> = {},
) {
  const files = memoryFileStore()
  const partOf = ({ input }: { readonly input: object }) =>
    Number((input as { seed: number }).seed) - firstSeed
  /** The parts of all submits, in their order. */
  const submits: number[] = []
  const partByToken = new Map<string, number>()
  const world = fakeWorld(
    {
      models: [model],
      cancel: true,
      behave(task, attempt) {
        const part = partOf(task)
        submits.push(part)
        partByToken.set(task.clientToken, part)
        return { outputs: [fakeFile('image', part)], costUsd: 0.01, ...script(part, attempt) }
      },
      ...fake,
    },
    { files, ...options },
  )
  const provider = spreadOutputs(world.provider)

  return {
    ...world,
    submits,
    /** The parts that were paid for, in the order of their submits. */
    paidParts: () => world.provider.ledger.map((entry) => partByToken.get(entry.clientToken)!),
    start: () => world.start({ provider }),
    /** Creates a job for so many pictures at a service. */
    async createAt({ service }: Pick<ReturnType<typeof world.start>, 'service'>, outputs = 4) {
      const input = { prompt: 'a fox', seed: firstSeed, num_outputs: outputs }
      return (await service.create({ owner: 'alice', model: 'spread', input })).job.id
    },
    /** How often each client token was paid for. */
    payments() {
      const tokens = world.provider.ledger.map(({ clientToken }) => clientToken)
      return [...new Set(tokens)].map((token) => tokens.filter((other) => other === token).length)
    },
    /** Which parts the outputs of a completed job are, in their order. */
    async delivered(id: string): Promise<readonly number[]> {
      const { outputs = [], phase } = (await world.jobs.get(id)) ?? {}
      if (phase !== 'completed') return []
      return Promise.all(
        outputs.map(async ({ fileKey = '' }) => {
          const file = await files.open?.(fileKey)
          const content = Buffer.from(await new Response(file?.read()).arrayBuffer())
          return [0, 1, 2, 3].findIndex((part) => content.equals(fakeFile('image', part).bytes))
        }),
      )
    },
  }
}
