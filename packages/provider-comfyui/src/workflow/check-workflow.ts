import { recordOf } from '@genmount/provider-kit'
import type { Workflow } from './workflow.ts'

/** Checks an option that is a workflow. @throws TypeError that names the option, when it is not a workflow in the API format */
export function checkWorkflow(name: string, workflow: unknown): Workflow {
  const nodes = Object.values(recordOf(workflow))
  if (nodes.length > 0 && nodes.every(isNode)) return workflow as Workflow
  throw new TypeError(
    `${name} must be a workflow in the API format, { id: { class_type, inputs } }: in ComfyUI, File > Export (API).`,
  )
}

function isNode(node: unknown): boolean {
  const { class_type, inputs } = recordOf(node)
  return typeof class_type === 'string' && typeof inputs === 'object' && inputs !== null
}
