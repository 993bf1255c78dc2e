import type { SmsVendor } from '../sms-vendor.ts'
import { type Heard, type SmppAccess, SmppLine } from './smpp-line.ts'
import type { VendorWords } from './smpp-outcomes.ts'
import { smppVendor } from './smpp-vendor.ts'

/** Stores what came on the line of an account. */
export type Store = (accountNo: string, heard: Heard) => Promise<void>
type Line = { as: string; vendor: SmsVendor }

/** The lines of a process: one for each account, opened again when what it is reached by has changed. */
export const smppLines = () => {
  const lines = new Map<string, Line>()
  let store: Store | null = null
  const hear = async (accountNo: string, heard: Heard) => {
    // Nobody is there to keep it yet: the vendor brings it again.
    if (!store) throw new Error('nothing listens')
    await store(accountNo, heard)
  }
  const closed = (accountNo: string) => {
    lines.get(accountNo)?.vendor.close?.()
    lines.delete(accountNo)
  }
  return {
    of(accountNo: string, access: SmppAccess, words: VendorWords = {}): SmsVendor {
      const { host, port, tls, systemId, password } = access
      const as = JSON.stringify([host, port, tls, systemId, password, words])
      const known = lines.get(accountNo)
      if (known?.as === as) return known.vendor
      closed(accountNo)
      const heard = (one: Heard) => hear(accountNo, one)
      const vendor = smppVendor({ line: new SmppLine(access, heard), hear: heard, words })
      lines.set(accountNo, { as, vendor })
      return vendor
    },
    listen(to: Store) {
      store = to
    },
    /** Holds the lines of these accounts, and gives up those of all others. */
    keep(accountNos: readonly string[]) {
      for (const accountNo of [...lines.keys()])
        if (accountNos.includes(accountNo)) lines.get(accountNo)?.vendor.hold?.()
        else closed(accountNo)
    },
    close() {
      for (const accountNo of [...lines.keys()]) closed(accountNo)
    },
  }
}
export type SmppLines = ReturnType<typeof smppLines>
