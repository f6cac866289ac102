import { messageOf } from '@genmount/vendor-http'

type Fields = Readonly<Record<string, unknown>>

/**
 * What ComfyUI has against a workflow, in the words of its nodes: the body of a 400 of `POST /prompt`,
 * `{ error: { message, details }, node_errors: { [node]: { class_type, errors: [{ message, details }] } } }`.
 */
export function rejectionIn(json: unknown): string | undefined {
  const { error, node_errors } = fieldsOf(json)
  const faults = Object.entries(fieldsOf(node_errors)).flatMap(([node, told]) => {
    const { class_type, errors } = fieldsOf(told)
    return (Array.isArray(errors) ? errors : []).map(
      (fault) => `${String(class_type)} (node ${node}): ${wordsOf(fieldsOf(fault))}`,
    )
  })
  if (faults.length > 0) return faults.join('; ')
  return wordsOf(fieldsOf(error)) || messageOf(json)
}

function wordsOf({ message, details }: Fields): string {
  return [message, details].filter((word) => typeof word === 'string' && word !== '').join(': ')
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
