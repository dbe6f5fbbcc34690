using System.Runtime.CompilerServices;
using Wire.Errors;

namespace Wire.Format;

/// <summary>The byte before the text of a <see cref="Uri"/>, which says what is made of the text.</summary>
internal static class UriForm
{
    private const byte Relative = 0;
    private const byte Absolute = 1;

    // Absolute, and the path and query stand for themselves: "%2F" and ".." in them mean nothing.
    private const byte Verbatim = 2;

    /// <summary>Returns the form of a value.</summary>
    public static byte Of(Uri value) => !value.IsAbsoluteUri ? Relative : IsVerbatim(value) ? Verbatim : Absolute;

    /// <summary>Checks a byte.</summary>
    /// <exception cref="WireFormatException">It is no form.</exception>
    public static byte Checked(byte form)
    {
        if (form > Verbatim)
        {
            ThrowHelper.InvalidValue(nameof(Uri), $"{form} is neither 0, for a relative one, nor 1 or 2, for absolute ones");
        }

        return form;
    }

    /// <summary>Returns the word for a form.</summary>
    public static string NameOf(byte form) => form switch { Relative => "relative", Absolute => "absolute", _ => "verbatim" };

    /// <summary>Makes a value of a text.</summary>
    /// <returns>The value; null when the text is none of that form.</returns>
    public static Uri? Make(byte form, string text) => form == Verbatim
        ? Uri.TryCreate(text, new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }, out Uri? verbatim)
            ? verbatim
            : null
        : Uri.TryCreate(text, form == Absolute ? UriKind.Absolute : UriKind.Relative, out Uri? uri) ? uri : null;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_DisablePathAndQueryCanonicalization")]
    private static extern bool IsVerbatim(Uri value);
}
