import { faceConsistencies } from '../../../core/contract/audit/decisions.ts'
import type { Draft } from '../../../core/contract/audit/queue.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Text } from '../../../core/ui/basics.ts'
import { RadioGroup } from '../../../core/ui/more.ts'
import { Attachments, useAttachments } from '../../shared/attachments.tsx'
import { useWork } from './work.ts'
import { WorkSection } from './work-section.tsx'

/** Whether the person on the selfie is the one on the ID: asked beside both pictures and the score of the comparison. */
export const Face = () => {
  const t = useText()
  const { basic, task, draft, change } = useWork()
  const { data } = useAttachments('order', task.orderNo)
  const pictures = ['selfie', 'id_front'].flatMap(type => data?.list.filter(file => file.attachType === type) ?? [])
  const score = basic.checks.find(check => check.checkKey === 'face')?.right
  return (
    <WorkSection title={t('audit.face')} name="faceConsistency">
      {pictures.length > 0 && <Attachments list={pictures} />}
      {data && pictures.length === 0 && (
        <Text as="p" size="2" color="gray">
          {t('audit.noFacePictures')}
        </Text>
      )}
      <Text as="p" size="2">
        {t('common.labelled', { label: t('audit.faceScore'), value: score ?? t('audit.faceNotCompared') })}
      </Text>
      <RadioGroup.Root
        size="1"
        value={draft.faceConsistency ?? ''}
        aria-label={t('audit.face')}
        className="mk-question-options"
        onValueChange={value => change({ faceConsistency: value as Draft['faceConsistency'] })}
      >
        {faceConsistencies.values.map(value => (
          <RadioGroup.Item key={value} value={value}>
            {t(`dict.FACE_CONSISTENCY.${value}`)}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </WorkSection>
  )
}
