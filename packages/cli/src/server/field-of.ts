/** The field of the configuration file that sets the same as an environment variable: `dataDir` for `DATA_DIR`. */
export function fieldOf(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
}
