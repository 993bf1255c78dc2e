-- The codes that the machine refuses with, in words; no person chooses them.
insert into refuse_code (refuse_code, level, parent_code, name_zh, name_en, name_sw, customer_text, enabled) values
  ('MR', 1, null, '机审规则', 'Machine review', 'Tathmini ya mashine', null, false),
  ('MR_AGE', 2, 'MR', '年龄不符', 'Age outside the limits', 'Umri hauruhusiwi', 'We cannot offer you a loan at this time.', false),
  ('MR_DEVICE', 2, 'MR', '模拟器申请', 'Applied from an emulator', 'Ombi limetoka kwenye kifaa bandia', 'We cannot offer you a loan at this time.', false),
  ('MR_SHARED_DEVICE', 2, 'MR', '多人共用设备', 'Device shared by many', 'Kifaa kinatumiwa na wengi', 'We cannot offer you a loan at this time.', false),
  ('MR_OVERDUE', 2, 'MR', '当前逾期', 'Overdue now', 'Ana deni lililochelewa', 'We cannot offer you a loan at this time.', false),
  ('MR_HISTORY', 2, 'MR', '历史逾期', 'Overdue before', 'Alichelewa hapo awali', 'We cannot offer you a loan at this time.', false),
  ('MR_LIMIT', 2, 'MR', '额度不足', 'Credit limit used up', 'Kikomo cha mkopo kimeisha', 'We cannot offer you a loan at this time.', false),
  ('MR_SCORE', 2, 'MR', '评分过低', 'Score too low', 'Alama ni ndogo', 'We cannot offer you a loan at this time.', false),
  ('MR_AMOUNT', 2, 'MR', '无可贷金额', 'No amount to lend', 'Hakuna kiasi cha kukopesha', 'We cannot offer you a loan at this time.', false)
on conflict (refuse_code) do update set parent_code = excluded.parent_code, enabled = false;
