using System.Data.SqlTypes;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Drawing;
using System.Globalization;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Security.Cryptography;
using System.Text;
using Wire.Format;
using Wire.Types;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Conversion;
using Wire.ValueSerializers.Scalars;

namespace Wire.SerializerFactories;

/// <content>
/// Scalars that are less common than those with a tag, most of which native code has where a row of <see cref="WireTypes"/> says so.
/// </content>
internal static partial class Families
{
    /// <summary>Encodings, time zones, formats, vectors, points and what else of .NET stands for itself.</summary>
    public static Family[] Scalars() =>
    [
        Family.Converted("System.TimeZoneInfo", () => typeof(TimeZoneInfo), registry => As<TimeZoneInfo, TimeZoneConversion.Parts>(
            registry, TimeZoneConversion.To, TimeZoneConversion.From)),
        Family.Converted("System.TimeZoneInfo+TransitionTime", () => typeof(TimeZoneInfo.TransitionTime), registry =>
            As<TimeZoneInfo.TransitionTime, ZoneRules.Transition>(registry, ZoneRules.To, ZoneRules.From)),
        Family.Converted("System.TimeZoneInfo+AdjustmentRule", () => typeof(TimeZoneInfo.AdjustmentRule), registry =>
            As<TimeZoneInfo.AdjustmentRule, ZoneRules.Rule>(registry, ZoneRules.To, ZoneRules.From)),
        Family.Converted("System.Globalization.TextInfo", () => typeof(TextInfo), registry => As<TextInfo, TextInfoConversion.Parts>(
            registry, TextInfoConversion.To, TextInfoConversion.From)),
        Family.Converted("System.Globalization.RegionInfo", () => typeof(RegionInfo), registry => As<RegionInfo, string>(
            registry, RegionConversion.To, RegionConversion.From, isImmutable: true)),
        Family.Converted("System.Globalization.SortVersion", () => typeof(SortVersion), registry => As<SortVersion, SortVersionParts>(
            registry, value => new(value.FullVersion, value.SortId), parts => new(parts.FullVersion, parts.SortId))),
        Family.Converted("System.OperatingSystem", () => typeof(OperatingSystem), registry => As<OperatingSystem, OperatingSystemParts>(
            registry,
            value => value.ServicePack.Length == 0
                ? new(value.Platform, value.Version)
                : throw new UnsupportedTypeException(typeof(OperatingSystem), "it has a service pack. Write its VersionString."),
            parts => new(parts.Platform, parts.Version))),
        Family.Converted("System.Globalization.NumberFormatInfo", () => typeof(NumberFormatInfo), registry =>
            As<NumberFormatInfo, NumberFormatConversion.Parts>(registry, NumberFormatConversion.To, NumberFormatConversion.From)),
        Family.Converted("System.Globalization.DateTimeFormatInfo", () => typeof(DateTimeFormatInfo), registry =>
            As<DateTimeFormatInfo, DateTimeFormatConversion.Parts>(registry, DateTimeFormatConversion.To, DateTimeFormatConversion.From)),
        Family.Converted("System.UriBuilder", () => typeof(UriBuilder), registry => As<UriBuilder, UriBuilderConversion.Parts>(
            registry, UriBuilderConversion.To, UriBuilderConversion.From)),
        Family.Converted("System.Reflection.AssemblyName", () => typeof(AssemblyName), registry =>
            As<AssemblyName, AssemblyNameConversion.Parts>(registry, AssemblyNameConversion.To, AssemblyNameConversion.From)),
        Family.Converted("System.IO.MemoryStream", () => typeof(MemoryStream), registry => As<MemoryStream, MemoryStreamConversion.Parts>(
            registry, MemoryStreamConversion.To, MemoryStreamConversion.From)),
        // The default one has no name.
        Family.Converted("System.Security.Cryptography.HashAlgorithmName", () => typeof(HashAlgorithmName), registry =>
            As<HashAlgorithmName, string?>(registry, value => value.Name, name => new(name), nullIsValue: true, isImmutable: true)),
        // Their bytes; none for the default ones, which are not equal to those of zeros.
        Family.Converted("System.Diagnostics.ActivityTraceId", () => typeof(ActivityTraceId), registry =>
            As<ActivityTraceId, ReadOnlyMemory<byte>>(
                registry,
                value => value == default ? default : Convert.FromHexString(value.ToHexString()),
                bytes => bytes.IsEmpty ? default : ActivityTraceId.CreateFromBytes(bytes.Span),
                isImmutable: true)),
        Family.Converted("System.Diagnostics.ActivitySpanId", () => typeof(ActivitySpanId), registry =>
            As<ActivitySpanId, ReadOnlyMemory<byte>>(
                registry,
                value => value == default ? default : Convert.FromHexString(value.ToHexString()),
                bytes => bytes.IsEmpty ? default : ActivitySpanId.CreateFromBytes(bytes.Span),
                isImmutable: true)),
        Family.Converted("System.Diagnostics.ActivityContext", () => typeof(ActivityContext), registry =>
            As<ActivityContext, ActivityContextParts>(
                registry,
                value => new(value.TraceId, value.SpanId, value.TraceFlags, value.TraceState, value.IsRemote),
                parts => new(parts.TraceId, parts.SpanId, parts.TraceFlags, parts.TraceState, parts.IsRemote),
                isImmutable: true)),
        Family.Converted("System.Text.Encoding", () => typeof(Encoding), registry => As<Encoding, EncodingConversion.Parts>(
            registry, EncodingConversion.To, EncodingConversion.From)) with { CoversDerived = true },
        Family.Converted("System.Text.StringBuilder", () => typeof(StringBuilder), registry =>
            As<StringBuilder, StringBuilderConversion.Parts>(registry, StringBuilderConversion.To, StringBuilderConversion.From)),

        Family.Members("System.Numerics.Vector2", () => Family.WithFields(typeof(Vector2))),
        Family.Members("System.Numerics.Vector3", () => Family.WithFields(typeof(Vector3))),
        Family.Members("System.Numerics.Vector4", () => Family.WithFields(typeof(Vector4))),
        Family.Members("System.Numerics.Quaternion", () => Family.WithFields(typeof(Quaternion))),
        Family.Members("System.Numerics.Plane", () => Family.WithFields(typeof(Plane))),
        Family.Members("System.Numerics.Matrix3x2", () => Family.WithFields(typeof(Matrix3x2))),
        Family.Members("System.Numerics.Matrix4x4", () => Family.WithFields(typeof(Matrix4x4))),
        Family.Vector("System.Runtime.Intrinsics.Vector64`1", () => typeof(Vector64<>)),
        Family.Vector("System.Runtime.Intrinsics.Vector128`1", () => typeof(Vector128<>)),
        Family.Vector("System.Runtime.Intrinsics.Vector256`1", () => typeof(Vector256<>)),
        Family.Vector("System.Runtime.Intrinsics.Vector512`1", () => typeof(Vector512<>)),

        Family.Converted("System.Drawing.Color", () => typeof(Color), registry => As<Color, ColorConversion.Parts>(
            registry, ColorConversion.To, ColorConversion.From)),
        Family.Members("System.Drawing.Point", () => Family.WithFields(typeof(Point))),
        Family.Members("System.Drawing.PointF", () => Family.WithFields(typeof(PointF))),
        Family.Members("System.Drawing.Size", () => Family.WithFields(typeof(Size))),
        Family.Members("System.Drawing.SizeF", () => Family.WithFields(typeof(SizeF))),
        Family.Members("System.Drawing.Rectangle", () => Family.WithFields(typeof(Rectangle))),
        Family.Members("System.Drawing.RectangleF", () => Family.WithFields(typeof(RectangleF))),
    ];

    private static ConvertedSerializer<T, TWritten> As<T, [DynamicallyAccessedMembers(NativeCode.Members)] TWritten>(
        TypeRegistry registry,
        Func<T, TWritten> to,
        Func<TWritten, T> from,
        bool nullIsValue = false,
        Func<TWritten, long>? overhead = null,
        bool isImmutable = false) => new(SlotOf<T, TWritten>(registry), to, from, nullIsValue, overhead, isImmutable);

    // What has members is known by these, and a number or text might be of another type.
    private static ValueSerializer<TWritten> SlotOf<T, [DynamicallyAccessedMembers(NativeCode.Members)] TWritten>(TypeRegistry registry)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            NativeCode.KeepMembers<TWritten>();
        }

        return registry.Slot<TWritten>() is var slot && registry.Shape(slot).Code == ShapeCode.Members
            ? slot
            : new NamedValueSerializer<TWritten>(typeof(T).Name, slot);
    }

    // It depends on the serializer's registry.
    private static ConvertedSerializer<T, TWritten> As<T, [DynamicallyAccessedMembers(NativeCode.Members)] TWritten>(
        TypeRegistry registry, Func<TypeRegistry, T, TWritten> to, Func<TypeRegistry, TWritten, T> from, bool isImmutable = false) =>
        As<T, TWritten>(registry, value => to(registry, value), written => from(registry, written), isImmutable: isImmutable);

    // The default value of each is its null.
    private static ConvertedSerializer<T, TValue?> AsNullable<T, TValue>(
        TypeRegistry registry, Func<T, TValue> to, Func<TValue, T> from)
        where T : struct, INullable
        where TValue : struct
    {
        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            NativeCode.KeepStruct<TValue>();
        }

        return As<T, TValue?>(
            registry,
            value => value.IsNull ? null : to(value),
            written => written is { } given ? SqlConversions.Make(from, given) : default,
            nullIsValue: true);
    }
}
