import ts from 'typescript'
import type { Property, VendorSchema } from './vendor-schema.ts'

/**
 * Reads the inputs of endpoints from the types of fal's own client: `libs/client/src/types/endpoints.ts` of fal-ai/fal-js,
 * which fal generates from the schemas of its endpoints. The types have the names, the choices and the defaults, but no
 * bounds of numbers and texts.
 * @param source the text of the file
 * @returns a function that finds the input of an endpoint; `undefined` for an endpoint that the file does not have
 */
export function falTypes(source: string): (endpoint: string) => VendorSchema | undefined {
  const file = ts.createSourceFile('endpoints.ts', source, ts.ScriptTarget.Latest, true)
  const types = new Map<string, ts.TypeNode>()
  file.forEachChild((node) => {
    if (ts.isTypeAliasDeclaration(node)) types.set(node.name.text, node.type)
  })
  const endpoints = membersOf(types.get('EndpointTypeMap'))

  function propertyOf(type: ts.TypeNode): Property {
    if (ts.isTypeReferenceNode(type)) {
      const name = type.typeName.getText()
      if (name === 'Array') return { type: 'array', items: propertyOf(type.typeArguments![0]!) }
      const alias = types.get(name)
      return alias ? propertyOf(alias) : {}
    }
    if (ts.isTypeLiteralNode(type)) return objectOf(type)
    if (ts.isArrayTypeNode(type)) return { type: 'array', items: propertyOf(type.elementType) }
    if (ts.isLiteralTypeNode(type)) return { enum: [JSON.parse(type.getText())] }
    if (ts.isParenthesizedTypeNode(type)) return propertyOf(type.type)
    if (ts.isUnionTypeNode(type)) return unionOf(type.types)
    const basic = {
      [ts.SyntaxKind.StringKeyword]: 'string',
      [ts.SyntaxKind.NumberKeyword]: 'number',
    } as const
    const word = (basic as Readonly<Record<number, string>>)[type.kind]
    if (word !== undefined) return { type: word }
    return type.kind === ts.SyntaxKind.BooleanKeyword ? { type: 'boolean' } : {}
  }

  function unionOf(members: readonly ts.TypeNode[]): Property {
    // The client uploads a Blob and sends its URL.
    const sent = members.filter((member) => !['Blob', 'File'].includes(member.getText()))
    const parts = sent.map(propertyOf)
    const choices = parts.flatMap((part) => part.enum ?? [])
    const others = parts.filter((part) => part.enum === undefined)
    const chosen: Property[] = choices.length === 0 ? [] : [{ enum: choices }]
    const all = [...others, ...chosen]
    return all.length === 1 ? all[0]! : { anyOf: all }
  }

  function objectOf(type: ts.TypeLiteralNode): VendorSchema {
    const members = [...membersOf(type)]
    return {
      type: 'object',
      required: members.filter(([, member]) => !member.questionToken).map(([name]) => name),
      additionalProperties: false,
      properties: Object.fromEntries(
        members.map(([name, member]) => [name, { ...propertyOf(member.type!), ...defaultOf(member) }]),
      ),
    }
  }

  return (endpoint) => {
    const input = membersOf(endpoints.get(endpoint)?.type).get('input')?.type
    return input && (propertyOf(input) as VendorSchema)
  }
}

function membersOf(type: ts.TypeNode | undefined): ReadonlyMap<string, ts.PropertySignature> {
  const members = type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []
  return new Map(members.map((member) => [member.name.getText().replace(/^["']|["']$/g, ''), member]))
}

/** fal writes the default at the end of the description: Default value: `"1K"`. */
function defaultOf(member: ts.PropertySignature): Property {
  const comment = member.getFullText().slice(0, member.getLeadingTriviaWidth())
  const [, text] = /Default value: `(.+?)`\s*\*\//s.exec(comment.replace(/\s+\*\/\s*$/, ' */')) ?? []
  if (text === undefined) return {}
  try {
    return { default: JSON.parse(text) as unknown }
  } catch {
    return { default: text }
  }
}
