using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Registers <see cref="WireInputFormatter"/> and <see cref="WireOutputFormatter"/> behind those that MVC has.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class WireMvcExtensions
{
    /// <summary>
    /// Adds the formatters for parameters and results of some types: clients that send or accept application/x-wire get it there, and all
    /// others, and all other types, what they got before.
    /// </summary>
    /// <remarks>
    /// All fields of a covered type and of what it refers to leave and come in, private ones and those with [JsonIgnore] too, to and from
    /// every client that knows the media type. Cover messages that are made to be sent, and no entities.
    /// </remarks>
    /// <param name="builder">The builder of <c>AddControllers()</c>.</param>
    /// <param name="options">The options; the type filter says what a body may name beside the types that actions declare.</param>
    /// <param name="covers">
    /// The condition for types of parameters and results. It gets the very type that an action declares, such as
    /// <c>List&lt;Message&gt;</c>, and for results the class of the object too. It is called for each request, on any thread.
    /// </param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static IMvcBuilder AddWireFormatters(this IMvcBuilder builder, SerializerOptions options, Func<Type, bool> covers) =>
        builder.AddWireFormatters(new Serializer(options), covers);

    /// <inheritdoc cref="AddWireFormatters(IMvcBuilder, SerializerOptions, Func{Type, bool})"/>
    /// <param name="builder">The builder of <c>AddControllers()</c>.</param>
    /// <param name="serializer">The serializer of bodies.</param>
    /// <param name="covers">The condition for types of parameters and results.</param>
    public static IMvcBuilder AddWireFormatters(this IMvcBuilder builder, Serializer serializer, Func<Type, bool> covers)
    {
        ArgumentNullException.ThrowIfNull(builder);
        Add(builder.Services, serializer, covers);
        return builder;
    }

    /// <inheritdoc cref="AddWireFormatters(IMvcBuilder, SerializerOptions, Func{Type, bool})"/>
    /// <param name="builder">The builder of <c>AddMvcCore()</c>.</param>
    /// <param name="options">The options; the type filter says what a body may name beside the types that actions declare.</param>
    /// <param name="covers">The condition for types of parameters and results.</param>
    public static IMvcCoreBuilder AddWireFormatters(this IMvcCoreBuilder builder, SerializerOptions options, Func<Type, bool> covers)
    {
        ArgumentNullException.ThrowIfNull(builder);
        Add(builder.Services, new Serializer(options), covers);
        return builder;
    }

    private static void Add(IServiceCollection services, Serializer serializer, Func<Type, bool> covers)
    {
        var input = new WireInputFormatter(serializer, covers);
        var output = new WireOutputFormatter(serializer, covers);
        services.Configure<MvcOptions>(options =>
        {
            options.InputFormatters.Add(input);
            options.OutputFormatters.Add(output);
            options.Filters.Add(FailureActionFilter.Instance);
        });
    }
}
