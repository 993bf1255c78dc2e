import type { Draft } from '../../../core/contract/audit-queue.ts'
import { dictionaries } from '../../../core/contract/dictionaries.ts'
import { useText } from '../../../core/element/i18n.ts'
import { RadioGroup } from '../../../core/ui/more.ts'
import { useWork } from './work.ts'
import { WorkSection } from './work-section.tsx'

/** Whether the person on the selfie is the one on the ID. */
export const Face = () => {
  const t = useText()
  const { draft, change } = useWork()
  return (
    <WorkSection title={t('audit.face')} name="faceConsistency">
      <RadioGroup.Root
        size="1"
        value={draft.faceConsistency ?? ''}
        aria-label={t('audit.face')}
        className="mk-question-options"
        onValueChange={value => change({ faceConsistency: value as Draft['faceConsistency'] })}
      >
        {dictionaries.FACE_CONSISTENCY.map(value => (
          <RadioGroup.Item key={value} value={value}>
            {t(`dict.FACE_CONSISTENCY.${value}`)}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </WorkSection>
  )
}
