import type { Model } from '@genmount/client'
import { refuseOtherArguments, textArgument } from './arguments.ts'
import { fieldsOf } from './input-schema.ts'
import type { Tool } from './tool.ts'
import { ToolError } from './tool-error.ts'

/** The tool that lists the models. */
export const listModels: Tool = {
  name: 'list_models',
  listing: () => ({
    title: 'List the models',
    description:
      'Says which models there are, what they make and cost, and the names of their fields. With the id of a model, gives the whole JSON Schema of its input.',
    inputSchema: {
      type: 'object',
      properties: {
        model: { type: 'string', description: 'Only this model, with its whole schema.' },
        output_kind: { type: 'string', enum: ['image', 'video'], description: 'Only models that make this.' },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  }),
  async call(context, { args }) {
    refuseOtherArguments('list_models', args, ['model', 'output_kind'])
    const id = textArgument(args, 'model')
    const kind = textArgument(args, 'output_kind')
    if (kind !== undefined && kind !== 'image' && kind !== 'video')
      throw new ToolError('invalid_request', 'output_kind must be image or video.')
    const models = (await context.models()).filter(
      (model) => (id ?? model.id) === model.id && (kind ?? model.output_kind) === model.output_kind,
    )
    if (id !== undefined && models.length === 0)
      throw new ToolError('model_not_found', `There is no model ${id}${kind ? ` for ${kind}` : ''}.`)
    const listed = models.map((model) => ({
      ...facts(model),
      ...(id !== undefined && { input_schema: model.input_schema }),
    }))
    return {
      content: [
        { type: 'text', text: listed.length === 0 ? 'There are no models.' : listed.map(line).join('\n') },
      ],
      structuredContent: { models: listed },
    }
  },
}

function facts(model: Model) {
  const { id, output_kind, description, price, typical_seconds, ends } = model
  return {
    id,
    output_kind,
    ...(description !== undefined && { description }),
    price: price?.text ?? null,
    typical_seconds,
    ...(ends && { ends }),
    fields: [...fieldsOf(model).keys()],
  }
}

function line(listed: ReturnType<typeof facts> & { readonly input_schema?: unknown }): string {
  const { id, output_kind, description, price, typical_seconds, ends, fields, input_schema } = listed
  const duration = typical_seconds === null ? '' : `, about ${typical_seconds} s`
  const instead = ends?.replacement ? `, use ${ends.replacement} then` : ''
  const end = ends ? `, ends on ${ends.on}${instead}` : ''
  const schema = input_schema === undefined ? '' : `\n${JSON.stringify(input_schema)}`
  return `${id} (${output_kind}, ${price ?? 'price not known'}${duration}${end}): ${description ? `${description} ` : ''}Its fields: ${fields.join(', ')}${schema}`
}
