import { recordOf, type VendorAnswer } from '@genmount/provider-kit'

/**
 * Whether the answer to `POST /prompt` says that ComfyUI already has a prompt of this id, so that an earlier request of
 * the same task has arrived. Servers from 2026 on answer so (server.py, post_prompt); older ones run the prompt twice.
 */
export function isKnownPromptId({ status, message = '' }: VendorAnswer): boolean {
  return status === 409 && /prompt_id already exists/i.test(message)
}

/**
 * Why ComfyUI rejects a workflow, in the words of its nodes. It reads the body of a 400 answer to `POST /prompt`:
 * `{ error: { message, details }, node_errors: { [node]: { class_type, errors: [{ message, details }] } } }`.
 */
export function rejectionIn({ json, message }: VendorAnswer): string | undefined {
  const { error, node_errors } = recordOf(json)
  const faults = Object.entries(recordOf(node_errors)).flatMap(([node, nodeFault]) => {
    const { class_type, errors } = recordOf(nodeFault)
    return [errors ?? []].flat().map((fault) => `${String(class_type)} (node ${node}): ${wordsOf(fault)}`)
  })
  return faults.join('; ') || wordsOf(error) || message
}

function wordsOf(fault: unknown): string {
  const { message, details } = recordOf(fault)
  return [message, details].filter((word) => typeof word === 'string' && word !== '').join(': ')
}
