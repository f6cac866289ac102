import { GenerationError, type GenerationService, type Job } from '@genmount/core'
import type { Answer, OwnedExchange } from '@genmount/v1-interface'
import { jsonReply } from '../wire/json-reply.ts'
import { videoObject } from '../wire/video-object.ts'
import { checkJobId } from './read-video.ts'

const usualLimit = 20
const maxLimit = 100
/** Up to how many films of an owner can be listed with the oldest first: the store lists the newest first. */
const maxAscending = 1000

interface ListQuery {
  readonly limit: number
  readonly after: string | undefined
  readonly order: 'asc' | 'desc'
}

/** `GET videos`: the films of the owner, in pages. */
export function listVideos(service: Pick<GenerationService, 'list'>): Answer<OwnedExchange> {
  return async ({ request, owner }) => {
    const { limit, after, order } = listQuery(request.path)
    const jobs = order === 'desc' ? await newest(owner, limit + 1, after) : await oldest(owner, after)
    const page = jobs.slice(0, limit)
    return jsonReply({
      object: 'list',
      data: page.map((job) => videoObject(job)),
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
      has_more: jobs.length > limit,
    })
  }

  async function newest(owner: string, count: number, from: string | undefined): Promise<readonly Job[]> {
    const jobs: Job[] = []
    let after = from
    do {
      const limit = Math.min(maxLimit, count - jobs.length)
      const page = await service.list({ owner, outputKind: 'video', limit, after })
      jobs.push(...page.jobs)
      after = page.next
    } while (after !== undefined && jobs.length < count)
    return jobs
  }

  async function oldest(owner: string, after: string | undefined): Promise<readonly Job[]> {
    const all = (await newest(owner, maxAscending + 1, undefined)).toReversed()
    if (all.length > maxAscending)
      throw new GenerationError(
        'invalid_request',
        `order must be desc: there are more than ${maxAscending} videos.`,
        { param: 'order' },
      )
    return all.slice(all.findIndex(({ id }) => id === after) + 1)
  }
}

function listQuery(path = ''): ListQuery {
  const queryAt = path.indexOf('?')
  const query = new URLSearchParams(queryAt < 0 ? '' : path.slice(queryAt))
  const limit = Number(query.get('limit') ?? usualLimit)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit)
    throw wrong('limit', `a whole number from 1 to ${maxLimit}`)
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw wrong('order', 'asc or desc')
  const after = query.get('after') ?? undefined
  if (after !== undefined) checkJobId(after)
  return { limit, after, order }
}

function wrong(name: string, words: string): GenerationError {
  return new GenerationError('invalid_request', `${name} must be ${words}.`, { param: name })
}
