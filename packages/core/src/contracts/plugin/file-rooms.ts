/** The file of an upload for which room is reserved. */
export interface FilePlace {
  /** Whose storage the file uses. */
  readonly owner: string
  /** The key in the file store. */
  readonly key: string
  /** When the upload expires. From then on its bytes no longer count. */
  readonly expiresAt: number
}

/** The part of its owner's storage limit that an upload uses. */
export interface FileRoom {
  /**
   * Reserves room for this many bytes in all. Returns `undefined` if so much room was already reserved.
   * @throws GenerationError `insufficient_quota`, `store_unavailable`
   */
  hold(bytes: number): Promise<void> | undefined
  /** Records that the whole upload is stored. @throws GenerationError `store_unavailable` */
  keep(bytes: number): Promise<void>
  /** Frees the room, after any reservation that is still being written. @throws GenerationError `store_unavailable` */
  giveBack(): Promise<void>
}

/** Counts uploads in the limit `storedBytes`. */
export interface FileRooms {
  /** Begins to count a file, with no room reserved yet. */
  take(place: FilePlace): FileRoom
  /** Frees the room of an upload. @throws GenerationError `store_unavailable` */
  free(owner: string, key: string): Promise<void>
}

/**
 * How long a file may take to arrive, in milliseconds. The /v1 interface ends slow uploads long before. A reservation lasts
 * as long: if the process dies, the room is free after this time.
 */
export const longestArrivalMs = 2 * 60 * 60_000
