import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps small secrets in the database such that a copy of it is of no use without the key of the installation. */
export type Sealer = {
  /** `owner` is whose secret it is: what is copied to somebody else does not open. */
  seal(secret: Buffer, owner: string): string
  /** @throws when it was changed, belongs to another owner or was sealed with another key */
  open(sealed: string, owner: string): Buffer
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM under a key of its own for each purpose. */
export const sealerOf = (secretKey: Buffer, purpose: string): Sealer => {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
  return {
    seal(secret, owner) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes)).setAAD(Buffer.from(owner))
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, bytes.length - tagBytes)), decipher.final()])
    },
  }
}
