/** Which of an owner's jobs to list. Ids are compared character by character, as `<` compares ASCII texts. */
export interface JobQuery {
  /** Whose jobs. */
  readonly owner: string
  /** Jobs whose id is this one or comes after it. @default all */
  readonly from?: string | undefined
  /** Jobs whose id comes before this one. @default all */
  readonly before?: string | undefined
  /** How many jobs at the most. */
  readonly limit: number
  /**
   * About how many characters the JSON of the jobs may have together, tasks left out. The first job comes however long
   * it is.
   */
  readonly maxLength: number
}
