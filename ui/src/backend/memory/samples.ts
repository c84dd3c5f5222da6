/**
 * Texts that the in-memory host pretends to have read: a small help centre in both languages, and what its
 * customers ask. Only for tests and development.
 */
import type { Language } from '../wire';

interface Samples {
  base: { name: string; description: string };
  agent: { name: string; description: string };
  documents: Array<{ title: string; uri: string; text: string }>;
  tickets: Array<{ subject: string; body: string }>;
}

export const SAMPLES: Record<Language, Samples> = {
  en: {
    base: { name: 'Help centre', description: 'Delivery, returns, payment and accounts' },
    agent: { name: 'First line', description: 'Answers what the help centre knows' },
    documents: [
      {
        title: 'Returns and refunds',
        uri: '/home/user/help/returns.md',
        text: `# Returns and refunds

You may return any article within 30 days of delivery, unworn and in its packaging. The return label is in your account under Orders, and printing it is free.

## Refunds

A refund is paid within 5 working days after the parcel has reached us. It goes to the means of payment that you used. Gift cards are refunded as a new gift card.

## Damaged articles

If an article arrives damaged, send us a photograph within 7 days. We send a replacement at once and you do not have to return the damaged article.`,
      },
      {
        title: 'Delivery times and costs',
        uri: '/home/user/help/delivery.md',
        text: `# Delivery

Parcels leave our warehouse within 24 hours on working days. Delivery in France takes 2 to 3 working days, and 4 to 6 working days elsewhere in the European Union.

Delivery is free for orders above 60 €. Below that it costs 4.90 €. You can follow the parcel with the number in the dispatch mail.`,
      },
      {
        title: 'Your account and your password',
        uri: '/home/user/help/account.md',
        text: `# Your account

To reset your password, choose “Forgotten password” on the sign-in page. The link in the mail is valid for 2 hours. Look into the spam folder if the mail does not arrive.`,
      },
    ],
    tickets: [
      {
        subject: 'When will I get my refund?',
        body: 'Hello,\n\nI returned my parcel last week with the return label. When is the refund paid, and to which means of payment does it go?\n\nKind regards,\nHannah Weiss',
      },
      {
        subject:
          'Delivery to Portugal before the 20th, two parcels, one of them a present that must not show its price',
        body: 'How many working days does delivery to Portugal take, and is delivery free for an order of 80 €?',
      },
      {
        subject: 'Do you repair watches?',
        body: 'Does anybody at your place mend old clockwork watches?',
      },
    ],
  },
  fr: {
    base: { name: "Centre d'aide", description: 'Livraison, retours, paiement et comptes' },
    agent: { name: 'Premier niveau', description: "Répond de ce que sait le centre d'aide" },
    documents: [
      {
        title: 'Retours et remboursements',
        uri: '/home/user/aide/retours.md',
        text: `# Retours et remboursements

Vous pouvez retourner tout article dans les 30 jours suivant la livraison, non porté et dans son emballage. L'étiquette de retour se trouve dans votre compte, sous « Commandes », et son impression est gratuite.

## Remboursements

Le remboursement est versé dans les 5 jours ouvrés après l'arrivée du colis chez nous. Il est fait sur le moyen de paiement que vous avez utilisé. Les cartes-cadeaux sont remboursées par une nouvelle carte.

## Articles abîmés

Si un article arrive abîmé, envoyez-nous une photographie sous 7 jours. Nous en expédions un autre aussitôt et vous n'avez pas à retourner l'article abîmé.`,
      },
      {
        title: 'Délais et frais de livraison',
        uri: '/home/user/aide/livraison.md',
        text: `# Livraison

Les colis quittent notre entrepôt sous 24 heures les jours ouvrés. La livraison en France prend 2 à 3 jours ouvrés, et 4 à 6 jours ouvrés ailleurs dans l'Union européenne.

La livraison est gratuite au-delà de 60 € d'achat. En deçà, elle coûte 4,90 €. Vous pouvez suivre le colis avec le numéro du courriel d'expédition.`,
      },
      {
        title: 'Votre compte et votre mot de passe',
        uri: '/home/user/aide/compte.md',
        text: `# Votre compte

Pour réinitialiser votre mot de passe, choisissez « Mot de passe oublié » sur la page de connexion. Le lien du courriel est valable 2 heures. Regardez dans les indésirables si le courriel n'arrive pas.`,
      },
    ],
    tickets: [
      {
        subject: 'Quand serai-je remboursée ?',
        body: "Bonjour,\n\nJ'ai renvoyé mon colis la semaine dernière avec l'étiquette de retour. Quand le remboursement est-il versé, et sur quel moyen de paiement ?\n\nCordialement,\nHélène Dubois",
      },
      {
        subject:
          'Livraison à Lisbonne avant le 20, deux colis, dont un cadeau qui ne doit pas montrer son prix',
        body: "Combien de jours ouvrés prend la livraison au Portugal, et la livraison est-elle gratuite pour 80 € d'achat ?",
      },
      {
        subject: 'Réparez-vous les montres ?',
        body: 'Quelqu’un chez vous remet-il en état de vieilles horloges mécaniques ?',
      },
    ],
  },
};
