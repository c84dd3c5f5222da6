/**
 * What each error code says in French, and what to do next; complete by its type, like the English list.
 */
import type { ErrorCode } from '../../backend/wire';
import type { ErrorText } from './errors.en';

export const errorsFr: Record<ErrorCode, ErrorText> = {
  invalid_input: {
    sentence: 'Une valeur de ce formulaire ne convient pas.',
    hint: 'Vérifiez les champs, puis réessayez.',
  },
  not_found: {
    sentence: "Cet élément n'existe plus.",
    hint: 'Il a peut-être été supprimé. Revenez à la liste.',
  },
  name_taken: { sentence: 'Ce nom est déjà pris.', hint: 'Choisissez un autre nom.' },
  already_in_library: {
    sentence: 'La bibliothèque contient déjà ce texte, dans une autre source.',
    hint: 'Ajoutez cette autre source aux bases qui en ont besoin, puis supprimez celle-ci si elle ne sert plus.',
  },
  knowledge_base_in_use: {
    sentence: 'Des agents utilisent encore cette base.',
    hint: 'Retirez la base à ces agents, puis supprimez-la.',
  },
  agent_without_bases: {
    sentence: "Cet agent n'a aucune base où chercher.",
    hint: "Ouvrez l'agent et confiez-lui au moins une base.",
  },
  file_not_found: {
    sentence: 'Le fichier est introuvable.',
    hint: 'Il a peut-être été déplacé. Ajoutez-le depuis son nouvel emplacement.',
  },
  permission_denied: {
    sentence: "Le système n'autorise pas la lecture du fichier.",
    hint: 'Modifiez les droits du fichier, puis réessayez.',
  },
  not_a_file: {
    sentence: "Ce n'est pas un fichier ordinaire.",
    hint: 'Choisissez un fichier ou un dossier.',
  },
  read_failed: {
    sentence: "Le fichier n'a pas pu être lu.",
    hint: 'Vérifiez le disque ou le réseau, puis réessayez.',
  },
  unsupported: {
    sentence: "Ce type de fichier n'est pas pris en charge.",
    hint: 'Enregistrez-le en PDF ou dans un format bureautique courant, puis ajoutez cette version.',
  },
  binary: {
    sentence: 'Le fichier contient des données binaires, pas du texte.',
    hint: "Vérifiez que l'extension correspond au contenu.",
  },
  empty: {
    sentence: 'Il ne contient aucun texte.',
    hint: "Ouvrez le fichier pour vérifier qu'il contient bien du texte.",
  },
  too_large: {
    sentence: "Le fichier, ou ce qu'il renferme une fois décompressé, est trop gros.",
    hint: 'Divisez-le en fichiers plus petits.',
  },
  password: {
    sentence: 'Le fichier est protégé par un mot de passe.',
    hint: "Saisissez son mot de passe ; il ne sert qu'une fois et n'est pas conservé.",
  },
  wrong_password: {
    sentence: "Ce mot de passe n'ouvre pas le fichier.",
    hint: 'Vérifiez les majuscules et les minuscules, puis réessayez.',
  },
  no_text_layer: {
    sentence: "Ses pages sont numérisées : il n'y a pas de texte à lire.",
    hint: 'Faites reconnaître le texte de ses pages, là où la reconnaissance est installée.',
  },
  corrupt: {
    sentence: "Le fichier est endommagé ; rien n'a pu en être lu.",
    hint: 'Ouvrez-le dans son propre logiciel, qui saura peut-être le réparer, enregistrez-le de nouveau, puis ajoutez cette version.',
  },
  timeout: {
    sentence: 'La lecture du fichier a duré trop longtemps ; elle a été arrêtée.',
    hint: 'Divisez-le en fichiers plus petits, ou enregistrez-le de nouveau en PDF.',
  },
  worker_died: {
    sentence: "La lecture s'est interrompue au milieu de ce fichier.",
    hint: 'Réessayez. Si cela se reproduit, le fichier est sans doute endommagé : ouvrez-le dans son propre logiciel, enregistrez-le de nouveau, puis ajoutez cette version.',
  },
  cancelled: { sentence: 'Le travail a été arrêté avant la fin.', hint: 'Réessayez pour terminer.' },
  job_ended: {
    sentence: 'Ce travail est terminé.',
    hint: 'Relancez-le, en entier ou seulement ce qui a échoué.',
  },
  document_busy: {
    sentence: "Ce document est en cours d'indexation.",
    hint: 'Attendez la fin, ou arrêtez le travail.',
  },
  model_missing: {
    sentence: "Le modèle d'indexation n'est pas installé.",
    hint: 'Réinstallez Ancre, ou lancez « make setup » dans une copie de développement.',
  },
  reranker_missing: {
    sentence: "Aucun modèle de reclassement n'est installé.",
    hint: 'Importez-en un dans les Réglages, ou cherchez sans reclassement.',
  },
  reranker_damaged: {
    sentence: "Il n'y a pas ici de modèle de reclassement utilisable.",
    hint: "Il faut les fichiers model.onnx et tokenizer.json d'un cross-encoder ; le guide dit lesquels. Choisissez un autre dossier, ou retirez le modèle.",
  },
  model_damaged: {
    sentence: "Un fichier du modèle d'indexation est endommagé.",
    hint: 'Supprimez le dossier du modèle et réinstallez-le.',
  },
  runtime_missing: {
    sentence: "ONNX Runtime, qui exécute le modèle d'indexation, est introuvable.",
    hint: 'Réinstallez Ancre, ou lancez « make setup » dans une copie de développement.',
  },
  model_failed: {
    sentence: "Le modèle d'indexation a rencontré un problème.",
    hint: 'Réessayez. Si cela se reproduit, redémarrez Ancre.',
  },
  model_mismatch: {
    sentence: 'Cette base a été indexée avec un autre modèle, ou une autre version de celui-ci.',
    hint: 'Réindexez la base avec le modèle installé ; ajoutez-y ensuite les documents.',
  },
  data_in_use: {
    sentence: "Une autre fenêtre d'Ancre utilise ce dossier de données ; ici, il est en lecture seule.",
    hint: "Faites-le dans l'autre fenêtre, ou quittez d'abord l'autre Ancre.",
  },
  work_in_progress: {
    sentence: 'Un travail est en cours ; il faut attendre sa fin.',
    hint: "Attendez qu'il se termine, ou arrêtez-le, puis réessayez.",
  },
  index_missing: {
    sentence: "L'index de cette base est absent ou ne convient pas à son modèle.",
    hint: 'Réindexez la base : toutes ses sources sont là.',
  },
  generation_incomplete: {
    sentence: "Le nouvel index n'est pas encore complet ; la base continue de répondre avec l'actuel.",
    hint: 'Laissez le travail se poursuivre. Si cela se reproduit, relancez la réindexation.',
  },
  data_read_only: {
    sentence: "Impossible d'écrire dans le dossier des données.",
    hint: 'Modifiez les droits du dossier, puis redémarrez Ancre.',
  },
  disk_full: {
    sentence: 'Le disque est plein.',
    hint: "Faites de la place, puis réessayez. Rien de ce qui était terminé n'est perdu.",
  },
  database_newer: {
    sentence: "Les données viennent d'une version plus récente d'Ancre.",
    hint: 'Installez cette version, ou choisissez un autre dossier de données.',
  },
  database_damaged: {
    sentence: 'La base de données est endommagée.',
    hint: 'Fermez Ancre, puis remplacez la base par une copie : la vôtre, ou une du dossier « backups » du dossier des données, s’il existe. Ou déplacez-la pour repartir de zéro.',
  },
  database_busy: {
    sentence: 'Un autre programme utilise la base de données.',
    hint: "Patientez un instant et réessayez ; fermez les autres fenêtres d'Ancre.",
  },
  internal: {
    sentence: 'Un problème interne est survenu dans Ancre.',
    hint: 'Réessayez. Si cela se reproduit, merci de le signaler.',
  },
};

/** What to do about a protected file that cannot be read even with its password. */
export const lockedHintFr =
  'Ouvrez-le dans son propre logiciel, enregistrez-le sans mot de passe, puis ajoutez cette version.';
