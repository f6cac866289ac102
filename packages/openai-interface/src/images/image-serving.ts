import type { InterfaceHost } from '@genmount/v1-interface'
import type { CreateCall } from '../calls/create-call.ts'
import type { InputContext } from '../input/model-input.ts'
import type { CheckedOpenaiOptions } from '../interface/openai-options.ts'
import type { pictureDelivery } from './delivered-pictures.ts'

/** What the routes for pictures work with. */
export interface ImageServing {
  readonly host: InterfaceHost
  readonly options: CheckedOpenaiOptions
  readonly createCall: CreateCall
  readonly inputs: InputContext
  readonly deliver: ReturnType<typeof pictureDelivery>
  /** Whether the route edits pictures. It is the first word of the types of events. */
  readonly kind: 'image_generation' | 'image_edit'
}
