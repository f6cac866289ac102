/** The field of the configuration file for an environment variable: `dataDir` for `DATA_DIR`. */
export function fieldOf(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
}
