import type { AnyModels, Client } from '@genmount/client'

const answers = new WeakMap<Client<AnyModels>, Promise<boolean>>()

/**
 * Whether inputs may refer to outputs of jobs, which the service then reads itself. The page asks each service once, and again
 * after a failure.
 */
export function takesReferences(client: Client<AnyModels>): Promise<boolean> {
  const answer = answers.get(client) ?? client.takesUploads()
  answers.set(client, answer)
  return answer.catch(() => {
    answers.delete(client)
    return false
  })
}
