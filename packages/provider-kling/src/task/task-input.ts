import type { Json, JsonObject } from '@genmount/core'
import type { OfferedModel } from '../provider/kling-options.ts'

/** The request that starts a task. */
export interface TaskRequest {
  /** The path of the endpoint. */
  readonly path: string
  readonly json: JsonObject
}

/** What goes with each task, whatever it makes. */
export interface TaskOptions {
  /** Our own id of the task, by which it is found if the answer is lost. */
  readonly external_task_id: string
  readonly callback_url: string | undefined
}

/** What a request is made from: a model, and a job's input in Kling's words. */
export interface TaskInput extends Pick<OfferedModel, 'model' | 'outputKind' | 'isOmni' | 'soundResolution'> {
  /** Of the files: a URL or bare base64. */
  readonly parameters: Readonly<Record<string, Json | undefined>>
}

/** The items of a parameter that may be missing, one, or a list. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return [value ?? []].flat() as readonly Json[]
}
