import type { Json, JsonObject, PricedTask } from '@genmount/core'

type Rates = Readonly<Record<string, number>>
type Cost = (task: PricedTask) => number

/**
 * An amount for each output, or another way to calculate the cost, by a field of the job.
 * @param usual the model's choice for a job without that field
 */
export function byChoice(field: string, usual: Json, costs: Readonly<Record<string, number | Cost>>): Cost {
  return (task) => {
    const cost = chosen(task.input, field, usual, costs) ?? Number.NaN
    return typeof cost === 'function' ? cost(task) : task.units * cost
  }
}

/**
 * An amount for each second of film, by a field of the job.
 * @param seconds the length of a film whose job has no duration
 */
export function bySecond(seconds: number, field: string, usual: Json, usd: Rates): Cost {
  return ({ input, units }) =>
    units *
    Math.max(1, Number(input['duration'] ?? seconds)) *
    (chosen(input, field, usual, usd) ?? Number.NaN)
}

/** One cost for jobs without films for reference, another for jobs with some. */
export function byFilms(without: Cost, withFilms: Cost): Cost {
  return (task) => {
    const films = task.input['reference_videos']
    return (Array.isArray(films) && films.length > 0 ? withFilms : without)(task)
  }
}

function chosen<Value>(
  input: JsonObject,
  field: string,
  usual: Json,
  values: Readonly<Record<string, Value>>,
): Value | undefined {
  const choice = String(input[field] ?? usual)
  return Object.hasOwn(values, choice) ? values[choice] : undefined
}
