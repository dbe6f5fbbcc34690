using System.Reflection;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Metadata;

namespace Wire.AspNetCore.Http;

/// <summary>The parameter of an endpoint that is the body: what it takes, and whether it may be missing.</summary>
internal sealed class BodyMetadata : IAcceptsMetadata
{
    private readonly string? _parameter;

    /// <summary>Makes the metadata.</summary>
    /// <param name="parameter">The parameter.</param>
    /// <param name="type">The type of the value.</param>
    public BodyMetadata(ParameterInfo parameter, Type type)
    {
        _parameter = parameter.Name;
        RequestType = type;
        IsOptional = parameter.HasDefaultValue || IsNullable(parameter);
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> ContentTypes { get; } = [WireMediaType.Name];

    /// <inheritdoc/>
    public Type RequestType { get; }

    /// <inheritdoc/>
    public bool IsOptional { get; }

    /// <summary>Refuses an endpoint in which two parameters are the body.</summary>
    /// <exception cref="InvalidOperationException">There are two.</exception>
    public static void ThrowIfTwo(EndpointBuilder builder)
    {
        // Metadata may be collected more than once.
        string?[] names = [.. builder.Metadata.OfType<BodyMetadata>().Select(body => body._parameter).Distinct()];
        if (names.Length > 1)
        {
            throw new InvalidOperationException(
                $"The parameters '{names[0]}' and '{names[1]}' are both the body of the request, which has one. Declare one WireBody<T>, " +
                "of a type with a member for each.");
        }
    }

    // A trimmed program may have no attributes that say so, and reflection throws there.
    private static bool IsNullable(ParameterInfo parameter) =>
        (!AppContext.TryGetSwitch("System.Reflection.NullabilityInfoContext.IsSupported", out bool isKnown) || isKnown)
        && new NullabilityInfoContext().Create(parameter).ReadState == NullabilityState.Nullable;
}
