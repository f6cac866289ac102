/** Selects jobs of one owner for a list. Ids are compared character by character, as `<` compares ASCII texts. */
export interface JobQuery {
  /** The owner of the jobs. */
  readonly owner: string
  /** Only jobs with this id or a later one. @default all */
  readonly from?: string | undefined
  /** Only jobs with an earlier id. @default all */
  readonly before?: string | undefined
  /** The most jobs to return. */
  readonly limit: number
  /**
   * About how many characters the JSON of all returned jobs may have at most, without tasks. The first job is always
   * returned, however long it is.
   */
  readonly maxLength: number
}
