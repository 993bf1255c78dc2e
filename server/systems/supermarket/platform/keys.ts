import { createHmac } from 'node:crypto'

/** How long the key before the one in use is still taken. */
export const oldKeyMs = 24 * 3_600_000

/** The keys that platforms sign their messages with: they follow from the secret of the installation, so none is stored. */
export const postbackKeys = (secretKey: Buffer) => (platformNo: string, turn: number) =>
  createHmac('sha256', secretKey).update(`market postback ${platformNo} ${turn}`).digest('base64url')
export type PostbackKeys = ReturnType<typeof postbackKeys>
