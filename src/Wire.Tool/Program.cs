using Wire.Tool;
using Wire.Tool.Running;

using var console = ToolConsole.OfProcess();
return WireTool.Run(args, console);
