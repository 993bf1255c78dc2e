/** What a file turned out to be, with the bytes that are kept of it. */
export type Inspected = { fileType: string; bytes: Buffer; width: number | null; height: number | null }
