import type { JobTransition } from '@genmount/core'
import type { Attributes, Meter } from '../client/meter.ts'

const boundaries = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800]

/** Counts the phases that jobs enter, and measures how long jobs take and what they cost. */
export function jobMetrics(meter: Meter): (transition: JobTransition) => void {
  const phases = meter.createCounter('genmount.job.transitions', {
    description: 'How many jobs have entered a phase.',
    unit: '{job}',
  })
  const durations = meter.createHistogram('genmount.job.duration', {
    description: 'How long jobs take, from their creation to their end.',
    unit: 's',
    advice: { explicitBucketBoundaries: boundaries },
  })
  const costs = meter.createCounter('genmount.job.cost', {
    description: 'What jobs have cost, as reported by their providers.',
    unit: 'USD',
  })

  return ({ to, job }) => {
    const { model, provider, createdAt, completedAt, costUsd, error } = job
    const ofModel: Attributes = {
      'gen_ai.request.model': model,
      ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
    }
    phases.add(1, { ...ofModel, 'genmount.job.phase': to })
    if (completedAt === undefined) return
    const outcome = { ...ofModel, 'genmount.job.phase': to, ...(error && { 'error.type': error.code }) }
    durations.record((completedAt - createdAt) / 1000, outcome)
    if (costUsd > 0) costs.add(costUsd, ofModel)
  }
}
