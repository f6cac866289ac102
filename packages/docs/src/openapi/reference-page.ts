import type {
  ServedDocument,
  ShownContent,
  ShownOperation,
  ShownResponse,
  ShownSchema,
} from './served-document.ts'
import { markdownTable, nameIn, wordsOf } from './schema-words.ts'

/** Every route and object of an OpenAPI document as a Markdown page of tables. */
export function referencePage(document: ServedDocument): string {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => route(`${method.toUpperCase()} ${path}`, operation)),
  )
  const objects = Object.entries(document.components.schemas).map(([name, schema]) => object(name, schema))
  return [
    ...routes,
    '## Objects',
    ...objects,
    '## Refusals',
    'The body of a refusal is [Error](#error), with one of these codes:',
    refusalsTable(),
    '## Headers of answers',
    headersTable(),
  ].join('\n\n')

  function refusalsTable(): string {
    const rows = Object.entries(document.components.responses).map(([name, { description = '' }]) => [
      name.replace('Error', ''),
      description,
    ])
    return markdownTable(['Status', 'Codes'], rows)
  }

  function headersTable(): string {
    const rows = Object.entries(document.components.headers).map(([name, { description }]) => [
      `\`${name}\``,
      description,
    ])
    return markdownTable(['Header', 'What it says'], rows)
  }

  function route(line: string, { summary, parameters = [], requestBody, responses }: ShownOperation): string {
    const described = parameters.map((each) =>
      '$ref' in each ? document.components.parameters[nameIn(each.$ref)]! : each,
    )
    const parts = [`## \`${line}\``, summary]
    if (described.length > 0)
      parts.push(
        markdownTable(
          ['Parameter', 'In', 'What it accepts', 'What it does'],
          described.map(({ name, in: place, required, schema, description = '' }) => [
            `\`${name}\``,
            place,
            wordsOf(schema) + (required ? '; required' : ''),
            description,
          ]),
        ),
      )
    if (requestBody) parts.push(`Body: ${contentWords(requestBody.content)}`)
    const isRefusal = ([, { $ref }]: [string, ShownResponse]) => $ref !== undefined
    const answers = Object.entries(responses).filter((entry) => !isRefusal(entry))
    parts.push(markdownTable(['Answer', 'When', 'Body'], answers.map(answerRow)))
    const refusals = Object.entries(responses).filter(isRefusal)
    parts.push(`[Refusals](#refusals): ${refusals.map(([status]) => status).join(', ')}.`)
    return parts.join('\n\n')
  }
}

function answerRow([status, { description = '', content }]: [string, ShownResponse]): string[] {
  return [status, description, content ? contentWords(content) : '']
}

function contentWords(content: ShownContent): string {
  return Object.entries(content)
    .map(([type, { schema }]) => (schema.$ref ? wordsOf(schema) : `\`${type}\``))
    .join(', ')
}

function object(name: string, schema: ShownSchema): string {
  const heading = `### ${name}`
  const choices = schema.oneOf ?? schema.anyOf
  if (!schema.properties) return `${heading}\n\n${choices ? 'One of: ' : ''}${wordsOf(schema)}.`
  const { properties, required = [] } = schema
  const rows = Object.entries(properties).map(([field, its]) => [
    `\`${field}\``,
    wordsOf(its),
    required.includes(field) ? 'yes' : '',
    its.description ?? '',
  ])
  return `${heading}\n\n${markdownTable(['Field', 'Type', 'Always there', 'What it is'], rows)}`
}
