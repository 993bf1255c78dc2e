import { useText } from '../../../element/i18n.ts'
import { Callout } from '../../../ui/basics.ts'
import type { LeftOut } from '../../screen.ts'

/** As many rows are named under one reason; the others are counted. */
const named = 20

/** Names the chosen rows that an action will not be done to, under the reasons. */
export const LeftOutRows = ({ left }: { left: readonly LeftOut[] }) => {
  const t = useText()
  if (left.length === 0) return null
  const reasons = [...new Set(left.map(one => one.reason))]
  return (
    <Callout.Root color="amber" size="1" mb="3" role="note">
      <div>
        {t('common.leftOut', { n: left.length })}
        <ul className="mk-refused">
          {reasons.map(reason => {
            const keys = left.filter(one => one.reason === reason).map(one => one.key)
            return (
              <li key={reason}>
                <span className="mk-key">{keys.slice(0, named).join(' ')}</span>{' '}
                {keys.length > named && t('common.andMore', { n: keys.length - named })} {reason}
              </li>
            )
          })}
        </ul>
      </div>
    </Callout.Root>
  )
}
