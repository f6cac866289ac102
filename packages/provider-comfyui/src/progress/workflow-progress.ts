import type { Workflow } from '../workflow/workflow.ts'

/** The assumed number of steps of a sampler if its workflow does not say. */
const usualSteps = 20
/** The most steps that count. Otherwise a wrong number of steps would make all other nodes count almost nothing. */
const maxSteps = 1000

/**
 * Makes the function that says how much of a workflow is done, from 0 to 1. A sampler counts as many times as it has
 * steps, because it takes most of the time, and every other node once.
 *
 * The function takes the nodes that have begun, each with the part of it that is done. Every node on whose outputs one
 * of them depends counts as done, because ComfyUI does not name its cached nodes to a client that connects later.
 */
export function workflowProgress(workflow: Workflow): (begun: ReadonlyMap<string, number>) => number {
  const nodes = Object.entries(workflow)
  const allSteps = Math.max(0, ...nodes.map(([, node]) => stepsOf(node) ?? 0)) || usualSteps
  const weights = new Map(nodes.map(([id, node]) => [id, weightOf(node, allSteps)]))
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)

  return (begun) => {
    const done = sourcesOf(workflow, [...begun.keys()])
    let sum = 0
    for (const [id, weight] of weights) sum += weight * (done.has(id) ? 1 : (begun.get(id) ?? 0))
    return total === 0 ? 0 : Math.min(1, sum / total)
  }
}

type Node = Workflow[string]

function weightOf(node: Node, allSteps: number): number {
  // The scheduler of a custom sampler has the number of steps, and the sampler itself has none.
  if (/Scheduler/.test(node.class_type)) return 1
  return stepsOf(node) ?? ('latent_image' in node.inputs ? allSteps : 1)
}

function stepsOf({ inputs }: Node): number | undefined {
  const steps = inputs['steps']
  return typeof steps === 'number' && steps >= 1 ? Math.min(maxSteps, steps) : undefined
}

/** The nodes on whose outputs the given ones depend, directly or through others. */
function sourcesOf(workflow: Workflow, ids: readonly string[]): ReadonlySet<string> {
  const sources = new Set<string>()
  const left = [...ids]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    for (const value of Object.values(workflow[id]?.inputs ?? {})) {
      // A link is the id of a node and the number of its output.
      const source = Array.isArray(value) && value.length === 2 ? String(value[0]) : undefined
      if (source === undefined || sources.has(source)) continue
      sources.add(source)
      left.push(source)
    }
  }
  return sources
}
