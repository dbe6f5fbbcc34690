using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.DependencyInjection;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Registers <see cref="WireInputFormatter"/> and <see cref="WireOutputFormatter"/> behind those that MVC has.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class WireMvcExtensions
{
    /// <summary>Adds the formatters: clients that send or accept application/x-wire get it, and all others what they got before.</summary>
    /// <param name="builder">The builder of <c>AddControllers()</c>.</param>
    /// <param name="options">The options; the type filter says what a body may name beside the types that actions declare.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static IMvcBuilder AddWireFormatters(this IMvcBuilder builder, SerializerOptions options) =>
        builder.AddWireFormatters(new Serializer(options));

    /// <inheritdoc cref="AddWireFormatters(IMvcBuilder, SerializerOptions)"/>
    /// <param name="builder">The builder of <c>AddControllers()</c>.</param>
    /// <param name="serializer">The serializer of bodies.</param>
    public static IMvcBuilder AddWireFormatters(this IMvcBuilder builder, Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(serializer);
        builder.Services.Configure<MvcOptions>(options => Add(options, serializer));
        return builder;
    }

    /// <inheritdoc cref="AddWireFormatters(IMvcBuilder, SerializerOptions)"/>
    /// <param name="builder">The builder of <c>AddMvcCore()</c>.</param>
    /// <param name="options">The options; the type filter says what a body may name beside the types that actions declare.</param>
    public static IMvcCoreBuilder AddWireFormatters(this IMvcCoreBuilder builder, SerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var serializer = new Serializer(options);
        builder.Services.Configure<MvcOptions>(mvc => Add(mvc, serializer));
        return builder;
    }

    private static void Add(MvcOptions options, Serializer serializer)
    {
        options.InputFormatters.Add(new WireInputFormatter(serializer));
        options.OutputFormatters.Add(new WireOutputFormatter(serializer));
    }
}
