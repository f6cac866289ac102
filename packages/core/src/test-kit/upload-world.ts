import { memoryFileStore } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { type FakeBehaviour, fakeFile, fakeWorld, type ProcessChanges } from '@genmount/testing'
import * as v from 'valibot'
import { expect, vi } from 'vitest'

/** The bytes of a picture. */
export const picture = fakeFile('image').bytes
/** The bytes of a film. */
export const film = fakeFile('video').bytes
export const dataUri = (bytes: Uint8Array, type: string) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const input = v.looseObject({ prompt: v.string() })
/** A model that takes any input, and one that takes pictures only. */
export const models = [
  { id: 'loose', outputKind: 'image', input },
  // Takes pictures as URLs only.
  {
    id: 'strict',
    outputKind: 'image',
    input: v.looseObject({ image: v.pipe(v.string(), v.regex(/^https:\/\/|^data:image\/png;/)) }),
  },
] as const

/** A world whose provider records the inputs of its submits and polls, and whose service takes uploads. */
export function uploadWorld(options: ProcessChanges = {}, behave: FakeBehaviour = { delayMs: 30_000 }) {
  const inputs = { submits: [] as object[], polls: [] as object[] }
  const files = options.files ?? memoryFileStore()
  const made = fakeWorld(
    { models, behave: () => behave },
    {
      plugins: [uploads()],
      ...options,
      files,
    },
  )
  const { submit, poll } = made.provider
  const provider = {
    submit: (...[task, call]: Parameters<typeof submit>) => (
      inputs.submits.push(task.input),
      submit(task, call)
    ),
    poll: (...[task, call]: Parameters<typeof poll>) => (inputs.polls.push(task.input), poll(task, call)),
  }
  const service = made.serviceOver({ plugins: [uploads()], ...options, files, provider })
  const upload = async (bytes: Uint8Array<ArrayBuffer> = picture, owner = 'alice') => {
    const stored = await service.uploads?.store(owner, new Blob([bytes]).stream())
    if (!stored) throw new Error('The service takes no uploads.')
    return stored
  }
  const create = async (body: object, owner = 'alice', model = 'loose') =>
    (await service.create({ owner, model, input: { prompt: 'a', ...body } })).job
  /** Advances the clock until the check holds. Hashes take real time, which the manual clock does not control. */
  const inTime = (check: () => unknown) =>
    vi.waitFor(async () => {
      await made.clock.advance(5000)
      await check()
    }, 20_000)
  const submitted = () => vi.waitFor(() => expect(inputs.submits).toHaveLength(1), 20_000)
  return { ...made, service, files, inputs, upload, create, submitted, inTime }
}
