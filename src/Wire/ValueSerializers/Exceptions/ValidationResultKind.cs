using System.ComponentModel.DataAnnotations;
using System.Runtime.CompilerServices;
using Wire.ValueSerializers.Collections;

namespace Wire.ValueSerializers.Exceptions;

/// <summary>The written state of a <see cref="ValidationResult"/>.</summary>
internal struct ValidationResultState
{
    public string? ErrorMessage;

    public string?[]? MemberNames;
}

/// <summary>
/// A result of a validation. The names of members, which may be any sequence, come back as an array. A class of the program that derives
/// from it keeps its own members.
/// </summary>
internal readonly struct ValidationResultKind : IWrapperKind<ValidationResult, ValidationResultState>
{
    public static string PartName => "<result>";

    public static ValidationResultState Unwrap(ValidationResult wrapper) => new()
    {
        ErrorMessage = wrapper.ErrorMessage,
        MemberNames = [.. wrapper.MemberNames],
    };

    public static void Construct(ValidationResult target, ValidationResultState inner) =>
        Constructor(target, inner.ErrorMessage, inner.MemberNames!);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ValidationResult target, string? errorMessage, IEnumerable<string> memberNames);
}
