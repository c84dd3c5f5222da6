/**
 * What each error code says in English, and what to do next. The type makes the list complete: a code that
 * the host gains does not compile until it has its words here.
 */
import type { ErrorCode } from '../../backend/wire';

/** A sentence that says what went wrong, and one that says what to do. */
export interface ErrorText {
  sentence: string;
  hint: string;
}

export const errorsEn: Record<ErrorCode, ErrorText> = {
  invalid_input: {
    sentence: 'Something in this form is not right.',
    hint: 'Look through the fields and try again.',
  },
  not_found: { sentence: 'It is no longer there.', hint: 'It may have been deleted. Go back to the list.' },
  name_taken: { sentence: 'This name is taken.', hint: 'Choose another name.' },
  already_in_library: {
    sentence: 'The library has this text already, as another source.',
    hint: 'Add that source to the bases that need it, and delete this one if it is not needed.',
  },
  knowledge_base_in_use: {
    sentence: 'Agents still use this base.',
    hint: 'Take the base from these agents, then delete it.',
  },
  agent_without_bases: {
    sentence: 'This agent has no knowledge base to search.',
    hint: 'Open the agent and give it at least one base.',
  },
  file_not_found: {
    sentence: 'The file is not there.',
    hint: 'It may have been moved. Add it again from its new place.',
  },
  permission_denied: {
    sentence: 'The system does not allow the file to be read.',
    hint: 'Change the permissions of the file, then try again.',
  },
  not_a_file: { sentence: 'This is not a regular file.', hint: 'Choose a file or a folder.' },
  read_failed: {
    sentence: 'The file could not be read.',
    hint: 'Check the disk or the network, then try again.',
  },
  unsupported: {
    sentence: 'This kind of file is not read.',
    hint: 'Save it as PDF or in a current office format, and add that.',
  },
  binary: {
    sentence: 'The file holds binary data, not text.',
    hint: 'Check that the name’s ending fits what is inside.',
  },
  empty: { sentence: 'There is no text in it.', hint: 'Open the file and see whether it has words at all.' },
  too_large: {
    sentence: 'The file, or what is packed in it, is too large.',
    hint: 'Split it into smaller files.',
  },
  password: {
    sentence: 'The file is protected by a password.',
    hint: 'Enter its password; it is used once and not stored.',
  },
  wrong_password: {
    sentence: 'The password does not open the file.',
    hint: 'Check upper and lower case, then try again.',
  },
  no_text_layer: {
    sentence: 'Its pages are scans: there is no text to read.',
    hint: 'Have the text of its pages recognised, where recognition is installed.',
  },
  corrupt: {
    sentence: 'The file is damaged, and nothing could be read of it.',
    hint: 'Open it in its own program, which may repair it, save it again, and add that.',
  },
  timeout: {
    sentence: 'Reading the file took too long and was stopped.',
    hint: 'Split it into smaller files, or save it again as PDF.',
  },
  worker_died: {
    sentence: 'The reader stopped in the middle of this file.',
    hint: 'Try again. If it happens again, the file is probably damaged: open it in its own program, save it again, and add that.',
  },
  cancelled: { sentence: 'It was stopped before the end.', hint: 'Try again to finish it.' },
  job_ended: {
    sentence: 'This work has ended.',
    hint: 'Try it again instead, as a whole or only what failed.',
  },
  document_busy: {
    sentence: 'This document is being indexed right now.',
    hint: 'Wait until it is done, or stop the work.',
  },
  model_missing: {
    sentence: 'The embedding model is not installed.',
    hint: 'Install Ancre again, or run “make setup” in a development copy.',
  },
  reranker_missing: {
    sentence: 'No reranker is installed.',
    hint: 'Import one in Settings, or search without reranking.',
  },
  reranker_damaged: {
    sentence: 'There is no reranker here that can be used.',
    hint: 'It takes the files model.onnx and tokenizer.json of a cross-encoder; the user guide says which. Choose another folder, or remove the reranker.',
  },
  model_damaged: {
    sentence: 'A file of the embedding model is damaged.',
    hint: 'Delete the model’s folder and install it again.',
  },
  runtime_missing: {
    sentence: 'ONNX Runtime, which runs the embedding model, was not found.',
    hint: 'Install Ancre again, or run “make setup” in a development copy.',
  },
  model_failed: {
    sentence: 'The embedding model could not do its work.',
    hint: 'Try again. If it happens again, start Ancre anew.',
  },
  model_mismatch: {
    sentence: 'This base was indexed with another embedding model, or another version of it.',
    hint: 'Re-index the base with the model you have; then add to it.',
  },
  data_in_use: {
    sentence: 'Another Ancre is using this data folder; here it can only be read.',
    hint: 'Do it in the other window, or quit that one first.',
  },
  work_in_progress: {
    sentence: 'Work is in progress, and this has to wait for it.',
    hint: 'Wait until it is done, or stop it, then try again.',
  },
  index_missing: {
    sentence: 'The index of this base is missing or does not fit its model.',
    hint: 'Index the base again: its sources are all there.',
  },
  generation_incomplete: {
    sentence: 'The new index is not whole yet; the base goes on answering from the one it has.',
    hint: 'Let the work go on. If this happens again, start the re-indexing anew.',
  },
  data_read_only: {
    sentence: 'The data folder cannot be written to.',
    hint: 'Change the permissions of the folder, then start Ancre anew.',
  },
  disk_full: {
    sentence: 'The disk is full.',
    hint: 'Make room, then try again. Nothing that was finished is lost.',
  },
  database_newer: {
    sentence: 'The data was written by a newer version of Ancre.',
    hint: 'Install that version, or choose another data folder.',
  },
  database_damaged: {
    sentence: 'The database is damaged.',
    hint: 'Close Ancre and put a copy in its place: one of your own, or one from the folder “backups” of the data folder, if it is there. Or move it away to begin anew.',
  },
  database_busy: {
    sentence: 'Another program is using the database.',
    hint: 'Wait a moment and try again; close other copies of Ancre.',
  },
  internal: {
    sentence: 'Something went wrong inside Ancre.',
    hint: 'Try again. If it happens again, please report it.',
  },
};

/** What to do about a protected file that cannot be read even with its password. */
export const lockedHintEn = 'Open it in its own program, save it without a password, and add that.';
