import type { MeasuredContent } from '../../../core/contract/marketing/sms-template.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useSheet } from '../../../core/element/styles.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { MeasuredPreview } from '../../shared/message/phone-frame.tsx'
import sheet from './template.css?sheet'

/** A text in each of its languages, as a phone shows it, side by side. */
export const InLanguages = ({ list }: { list: readonly MeasuredContent[] }) => {
  useSheet(sheet)
  const t = useText()
  return (
    <div className="mk-sms-languages">
      {list.map(one => (
        <MeasuredPreview key={one.language} of={one} from={dictText(t, 'LANGUAGE', one.language)} />
      ))}
    </div>
  )
}
