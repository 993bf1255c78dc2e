import { constants, type KeyObject, privateDecrypt } from 'node:crypto'

/** What the network and its customer know of each other. */
export type Keys = {
  clientId: string
  clientSecret: string
  pin: string
  /** PEM; its other half is what the customer encrypts the PIN with. */
  privateKey: string
  /** Signs callbacks; without it they carry no signature. */
  callbackKey: string | null
}

/** What was encrypted with PKCS #1 padding; null when it was not, or not for this key. */
export const decrypted = (key: KeyObject | string, value: string): string | null => {
  try {
    const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, Buffer.from(value, 'base64'))
    const end = block.indexOf(0, 2)
    return block[0] === 0 && block[1] === 2 && end >= 10 ? block.subarray(end + 1).toString() : null
  } catch {
    return null
  }
}
