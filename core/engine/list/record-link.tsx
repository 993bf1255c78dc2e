import type { Approval } from '../../contract/common/approval.ts'
import { type Translate, useText } from '../../element/i18n.ts'
import { ScreenLink } from '../table/value.tsx'

/** The field whose label names a kind of record. */
const keys: Readonly<Record<string, string>> = {
  order: 'orderNo',
  loanCode: 'loanCode',
  flow: 'flowNo',
  repaymentRecord: 'repaymentNo',
  reconItem: 'reconItemNo',
  bankBatch: 'batchNo',
  import: 'importNo',
  user: 'userNo',
}

/** What kind of record it is, where there is a word for it; its key says the rest. */
const kindOf = (t: Translate, objectType: string) =>
  t.maybe(`fields.${keys[objectType] ?? objectType}`) ?? t.maybe(`config.use.${objectType}`) ?? ''

/** What a request is about, as a link to where it is read. */
export const RecordLink = ({
  of,
  go,
}: {
  of: Pick<Approval, 'objectType' | 'objectNo' | 'route'>
  /** Opens an address where no screen is asked to. */
  go?: (path: string) => void
}) => {
  const t = useText()
  const { objectType, objectNo, route } = of
  const [to, query] = (route ?? '').split('?')
  const key = <span className="mk-key">{objectNo}</span>
  return (
    <>
      {kindOf(t, objectType)}{' '}
      {to ? (
        <ScreenLink to={to} query={Object.fromEntries(new URLSearchParams(query))} go={go}>
          {key}
        </ScreenLink>
      ) : (
        key
      )}
    </>
  )
}
