/** Where files lie that people sent, and the secret behind the tokens they send them with. */
export type UploadDeps = { dir: string; secret: Buffer; chunkBytes?: number }
