import { filterId, RequiredField } from '../../../http/index.js';

/** The query of PreviewMerge. */
export class PreviewMergeRequest {
  @RequiredField(filterId, { description: 'The PeopleId of the person to keep.', examples: [187] })
  into!: number;
}
