"""Texts of django-allauth that this site translates itself.

Allauth's German addresses users as *du* on some pages and *Sie* in mails, and has grammar errors. The texts
here are extracted like the site's own messages, and the site's translations take precedence over allauth's.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop

TEXTS = (
    gettext_noop("Already have an account? Then please %(link)ssign in%(end_link)s."),
    gettext_noop("Bad Token"),
    gettext_noop("Email (optional)"),
    gettext_noop("Enter your password:"),
    gettext_noop(
        "Forgotten your password? Enter your email address below, and we'll send you an email allowing "
        "you to reset it."
    ),
    gettext_noop("Hello from %(site_name)s!"),
    gettext_noop("If it was you, you can sign up for an account using the link below."),
    gettext_noop("In case you forgot, your username is %(username)s."),
    gettext_noop("Note"),
    gettext_noop("Password Reset"),
    gettext_noop("Password Reset Email"),
    gettext_noop("Please reauthenticate to safeguard your account."),
    gettext_noop("Primary email address set."),
    gettext_noop("Re-send Verification"),
    gettext_noop("Reset My Password"),
    gettext_noop("Sign In"),
    gettext_noop("Thank you for using %(site_name)s!\n%(site_domain)s"),
    gettext_noop("The new value must be different from the current one."),
    gettext_noop(
        "The password reset link was invalid, possibly because it has already been used.  Please request "
        'a <a href="%(passwd_reset_url)s">new password reset</a>.'
    ),
    gettext_noop("This email address is already associated with this account."),
    gettext_noop("This mail can be safely ignored if you did not initiate this action."),
    gettext_noop("To confirm this is correct, go to %(activate_url)s"),
    gettext_noop("You are already logged in as %(user_display)s."),
    gettext_noop(
        "You are receiving this email because you, or someone else, tried to access an account with email"
        " %(email)s. However, we do not have any record of such an account in our database."
    ),
    gettext_noop("You have signed out."),
    gettext_noop("You must type the same password each time."),
    gettext_noop(
        "You're receiving this email because user %(user_display)s has given your email address to "
        "register an account on %(site_domain)s."
    ),
    gettext_noop(
        "You're receiving this email because you or someone else has requested a password reset for your "
        "user account.\nIt can be safely ignored if you did not request a password reset. Click the link "
        "below to reset your password."
    ),
)
"""The messages, exactly as in django-allauth."""
