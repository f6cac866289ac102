import { type AnyModels, type Client, GenmountError, type Model } from '@genmount/client'
import { ownValue } from '@genmount/page-kit/page'
import type { BoardState } from '../jobs/job-board.ts'
import type { Field } from './field.ts'
import { fieldsOf } from './fields-of.ts'
import type { JobRequest } from './requests-of.ts'
import { type Values, wrongValue } from './values.ts'

/**
 * The fields of the form of these models: those of the first, and what others need besides.
 * @param models the model of the form, and the models that it is compared with
 */
export function fieldsOfAll([first, ...others]: readonly Model[]): readonly Field[] {
  const fields = new Map((first ? fieldsOf(first) : []).map((field) => [field.name, field]))
  for (const field of others.flatMap(fieldsOf))
    if (field.isRequired && !fields.has(field.name)) fields.set(field.name, field)
  return [...fields.values()]
}

/** Why one of the models can't take the value of a field, in words. `undefined` if all can. */
export function wrongFor(models: readonly Model[], name: string, values: Values): string | undefined {
  for (const [index, model] of models.entries()) {
    const field = fieldsOf(model).find((one) => one.name === name)
    const wrong = field && wrongValue(field, values)
    if (wrong !== undefined) return index === 0 ? wrong : `${model.id}: ${wrong}`
  }
  return undefined
}

/**
 * Asks the service whether it would accept the jobs of a comparison, which costs nothing. Otherwise it could make and charge
 * some of them before it refuses the others.
 * @throws GenmountError that names the model of a job that would be refused
 */
export async function checkComparison(
  client: Client<AnyModels>,
  requests: readonly JobRequest[],
): Promise<void> {
  const models = new Map(requests.map((request) => [request.model.id, request]))
  if (models.size < 2) return
  await Promise.all(
    [...models.values()].map(async ({ model: { id }, input }) => {
      try {
        const { error } = await client.estimate({ ...input, model: id })
        if (error) throw new GenmountError(error.code, error.message, { param: error.param ?? undefined })
      } catch (error) {
        if (!(error instanceof GenmountError)) throw error
        throw new GenmountError(error.code, `${id}: ${error.message}`, error)
      }
    }),
  )
}

/** Whether the page has sent one of these requests before, with the same seed if it has one. */
export function wasSent({ jobs, sent }: BoardState, requests: readonly JobRequest[]): boolean {
  return requests.some(({ model: { id }, input }) => {
    const text = JSON.stringify(input)
    return jobs.some((job) => job.model === id && JSON.stringify(ownValue(sent, job.id)) === text)
  })
}
