/**
 * Says from what an output was made, if its model says so: which words of the prompt it has drawn, or how it has rewritten the
 * prompt.
 * @param description what the service says of the model
 */
export function drawnWords(prompt: unknown, revised: string, description = ''): string {
  const said = typeof prompt === 'string' ? prompt.toLowerCase() : ''
  const words = revised.split(', ').filter((word) => word !== '')
  if (!words.every((word) => said.includes(word))) return `Made from: ${revised}`
  return `Drawn: ${words.join(', ') || 'nothing that the prompt names'}. ${description}`.trim()
}
